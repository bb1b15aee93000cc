/** The dates that have a daily: all from the first one to today. */

import type { Day } from "./dates";

export const FIRST_DAY: Day = "2026-01-01";

export const isOpen = (day: Day, today: Day): boolean => day >= FIRST_DAY && day <= today;
