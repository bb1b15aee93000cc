/** What the visitor has chosen for this device: language, light, sound, name. */

import { m } from "../words";
import { LOCALES, useLocale, type Locale } from "../words/locale";
import { keep, kept } from "./kept";

/** The language that was chosen here, or else the first of the browser's that there is, or else English. */
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
    // Every message asks here for its language: a switch is seen at once wherever words stand, and nothing is built anew.
    useLocale(() => this.locale);
    this.describePage();
    this.paintBrowser();
    // Who has not chosen goes with the system, into the evening too.
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

  /** The browser's own frame takes the colour of the paper. */
  private paintBrowser(): void {
    const paper = this.theme === "dark" ? "#121C1F" : "#F6F2E8";
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", paper);
  }
}

export const settings = new Settings();
