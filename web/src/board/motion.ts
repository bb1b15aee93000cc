/** Whether to skip animations: reduced motion, or a hidden tab, where they would all run at once later. */
export const calm = (): boolean => document.hidden || document.documentElement.dataset.motion === "reduced";
