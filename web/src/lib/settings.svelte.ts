/** The visitor's settings on this device. `preferences.ts` keeps them with the account too, if there is one. */

import type { Preferences } from "../protocol/messages";
import { m } from "../words";
import { LOCALES, useLocale, type Locale } from "../words/locale";
import { forget, keep, kept } from "./storage";

/** The values of each setting, the default first. Language and name are not in this list. */
const VALUES = {
  theme: ["system", "light", "dark"],
  sound: ["on", "off"],
  /** How long the moves of others are shown. */
  pace: ["normal", "quick", "slow"],
  animation: ["system", "on", "reduced"],
  /** Whether the Play button plays a move, or a second tap on its tile. */
  confirm: ["on", "off"],
  coordinates: ["on", "off"],
  /** Whether moves are shown in notation, and can be typed. */
  notation: ["off", "on"],
} as const;
type Values = typeof VALUES;
type Choices = { [Name in keyof Values]: Values[Name][number] };
export type Pace = Choices["pace"];

const NAMES = Object.keys(VALUES) as (keyof Values)[];

function read<Name extends keyof Values>(name: Name): Choices[Name] {
  const values: readonly string[] = VALUES[name];
  const found = kept(name);
  return (found !== null && values.includes(found) ? found : values[0]) as Choices[Name];
}

/** The chosen language, or else the browser's first supported one, or else English. */
function preferredLocale(): Locale {
  for (const tag of [kept("language") ?? "", ...navigator.languages]) {
    const found = LOCALES.find((locale) => locale === tag.split("-")[0]!.toLowerCase());
    if (found) return found;
  }
  return "en";
}

class Settings {
  locale = $state<Locale>(preferredLocale());
  name = $state(kept("name") ?? "");
  private chosen = $state<Choices>(Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Choices);
  private systemDark = $state(false);
  private systemCalm = $state(false);

  /** Called after the visitor has changed a setting. */
  onchange = (): void => {};

  /** The theme that is shown. */
  theme = $derived(this.chosen.theme === "system" ? (this.systemDark ? "dark" : "light") : this.chosen.theme);
  calm = $derived(this.chosen.animation === "system" ? this.systemCalm : this.chosen.animation === "reduced");
  sound = $derived(this.chosen.sound === "on");
  pace = $derived(this.chosen.pace);
  confirm = $derived(this.chosen.confirm === "on");
  coordinates = $derived(this.chosen.coordinates === "on");
  notation = $derived(this.chosen.notation === "on");

  constructor() {
    // Messages read the language from here, so a switch updates every text at once without rebuilding the page.
    useLocale(() => this.locale);
    // Without a choice, theme and animation follow the system, also when that changes.
    const follow = (query: string, use: (matches: boolean) => void): void => {
      const media = matchMedia(query);
      use(media.matches);
      media.addEventListener("change", ({ matches }) => {
        use(matches);
        this.dress();
      });
    };
    follow("(prefers-color-scheme: dark)", (matches) => (this.systemDark = matches));
    follow("(prefers-reduced-motion: reduce)", (matches) => (this.systemCalm = matches));
    this.describePage();
    this.dress();
  }

  /** The choice itself, which may be to follow the system. */
  get<Name extends keyof Values>(name: Name): Choices[Name] {
    return this.chosen[name];
  }

  set<Name extends keyof Values>(name: Name, value: Choices[Name]): void {
    this.use(name, value);
    this.onchange();
  }

  private reset<Name extends keyof Values>(name: Name): void {
    this.chosen[name] = VALUES[name][0] as Choices[Name];
    forget(name);
    this.dress();
  }

  private use<Name extends keyof Values>(name: Name, value: Choices[Name]): void {
    // “As the system” is stored as no value at all, because early.js knows only “light” and “dark”.
    if ((value as string) === "system") {
      this.reset(name);
      return;
    }
    this.chosen[name] = value;
    keep(name, value);
    this.dress();
  }

  speak(locale: Locale): void {
    this.useLanguage(locale);
    this.onchange();
  }

  private useLanguage(locale: Locale): void {
    keep("language", locale);
    this.locale = locale;
    this.describePage();
  }

  switchTheme(): void {
    this.set("theme", this.theme === "dark" ? "light" : "dark");
  }

  switchSound(): void {
    this.set("sound", this.sound ? "off" : "on");
  }

  callMe(name: string): void {
    this.name = name;
    keep("name", name);
  }

  /** The choices to keep with the account. */
  get preferences(): Preferences {
    const found: Record<string, string> = {};
    for (const name of ["language", ...NAMES]) {
      const value = kept(name);
      if (value !== null) found[name] = value;
    }
    return found;
  }

  /** Take over the choices that were kept with the account. */
  adopt(preferences: Preferences): void {
    for (const name of NAMES) {
      const value = preferences[name] ?? null;
      if ((VALUES[name] as readonly unknown[]).includes(value)) this.use(name, value as never);
      else if (value === null) this.reset(name);
    }
    const language = LOCALES.find((locale) => locale === preferences.language);
    if (language) this.useLanguage(language);
  }

  /** The page's language and description, for screen readers, search engines and link previews, and its manifest. */
  private describePage(): void {
    document.documentElement.lang = this.locale;
    document.querySelector('meta[name="description"]')?.setAttribute("content", m.page_description());
    const language = this.locale === "en" ? "" : `.${this.locale}`;
    document
      .querySelector('link[rel="manifest"]')
      ?.setAttribute("href", `${import.meta.env.BASE_URL}manifest${language}.webmanifest`);
  }

  /** Attributes for the style sheets (theme, motion, coordinates), and the colour of the browser's toolbar. */
  private dress(): void {
    const { dataset } = document.documentElement;
    dataset.theme = this.theme;
    dataset.motion = this.calm ? "reduced" : "on";
    dataset.coordinates = this.coordinates ? "on" : "off";
    const paper = this.theme === "dark" ? "#121C1F" : "#F6F2E8";
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", paper);
  }
}

export const settings = new Settings();
