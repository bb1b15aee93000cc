/** Whether motion is unwelcome. */
export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
