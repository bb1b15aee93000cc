/** The visitor's settings on this device: language, theme, sound, name. */

import { m } from "../words";
import { LOCALES, useLocale, type Locale } from "../words/locale";
import { keep, kept } from "./kept";

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
  theme = $state<"light" | "dark">(document.documentElement.dataset.theme === "dark" ? "dark" : "light");
  sound = $state(kept("sound") !== "off");
  name = $state(kept("name") ?? "");

  constructor() {
    // Messages read the language from here, so a switch updates every text at once without rebuilding the page.
    useLocale(() => this.locale);
    this.describePage();
    this.paintBrowser();
    // Without a choice the theme follows the system, also when that changes.
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => {
      if (!kept("theme")) this.shine(matches ? "dark" : "light");
    });
  }

  speak(locale: Locale): void {
    keep("language", locale);
    this.locale = locale;
    this.describePage();
  }

  switchTheme(): void {
    this.shine(this.theme === "dark" ? "light" : "dark");
    keep("theme", this.theme);
  }

  private shine(theme: "light" | "dark"): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    this.paintBrowser();
  }

  switchSound(): void {
    this.sound = !this.sound;
    keep("sound", this.sound ? "on" : "off");
  }

  callMe(name: string): void {
    this.name = name;
    keep("name", name);
  }

  /** The page's language and description, for screen readers, search engines and link previews. */
  private describePage(): void {
    document.documentElement.lang = this.locale;
    document.querySelector('meta[name="description"]')?.setAttribute("content", m.page_description());
  }

  /** The colour of the browser's own frame. */
  private paintBrowser(): void {
    const paper = this.theme === "dark" ? "#121C1F" : "#F6F2E8";
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", paper);
  }
}

export const settings = new Settings();
