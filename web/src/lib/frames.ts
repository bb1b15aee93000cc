/** Does something once the browser has drawn so many frames and had time to listen; the answer calls it off. */
export function afterFrames(frames: number, act: () => void): () => void {
  let off = false;
  const wait = (left: number): void => {
    if (off) return;
    // A page that nobody sees draws no frames.
    if (left === 0 || document.hidden) setTimeout(() => off || act());
    else requestAnimationFrame(() => wait(left - 1));
  };
  wait(frames);
  return () => void (off = true);
}
