/** Whether motion is unwelcome, or nobody would see it: in a hidden tab it would all be made up for at once later. */
export const calm = (): boolean => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
