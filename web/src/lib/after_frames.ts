/** Runs a callback after a number of frames; returns a function that cancels it. */
export function afterFrames(frames: number, act: () => void): () => void {
  let off = false;
  const wait = (left: number): void => {
    if (off) return;
    // A hidden page draws no frames.
    if (left === 0 || document.hidden) setTimeout(() => off || act());
    else requestAnimationFrame(() => wait(left - 1));
  };
  wait(frames);
  return () => void (off = true);
}
