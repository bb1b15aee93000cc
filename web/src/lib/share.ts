/** Hand text to other programs: the device's own sharing where there is one, else the clipboard. */

/** Copy text. Browsers keep their clipboard from plain http pages, as in a home network; there the old way still works. */
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

/** Share a link with a few words; true if it was copied instead, so that the page can say so. */
export async function share(text: string, url: string, copied = url): Promise<boolean> {
  if (navigator.share) {
    await navigator.share({ title: "Riverstones", text, url }).catch(() => {});
    return false;
  }
  await copy(copied);
  return true;
}
