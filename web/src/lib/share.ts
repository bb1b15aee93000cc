/** Sharing text and pictures: by the share dialog of the device if it has one, otherwise by the clipboard. */

/** Copy text. The Clipboard API needs https, which a home network rarely has; `execCommand` works there as well. */
export async function copy(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  // Inside an open dialog only what belongs to it can be focused.
  (document.activeElement?.closest("dialog") ?? document.body).append(field);
  const focused = document.activeElement;
  field.select();
  document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
}

/** Save a file, as a link with `download` does. */
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * Share a picture with a sentence and a link, if there is one that works elsewhere. Where files cannot be shared, the picture is saved and the text copied: true,
 * so that the page can say so.
 */
export async function sharePicture(text: string, url: string | null, picture: Blob, name: string): Promise<boolean> {
  const files = [new File([picture], name, { type: picture.type })];
  if (navigator.canShare?.({ files })) {
    await navigator.share({ title: "Riverstones", text: url ? `${text} ${url}` : text, files }).catch(() => {});
    return false;
  }
  save(picture, name);
  await copy(url ? `${text}\n${url}` : text);
  return true;
}

/** Share a link with a few words; true if it was copied instead, so that the page can say so. */
export async function share(text: string, url: string, copied = url): Promise<boolean> {
  if (navigator.share) {
    await navigator.share({ title: "Riverstones", text, url }).catch(() => {});
    return false;
  }
  await copy(copied);
  return true;
}
