import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import en from "./en.json";

export const LANGUAGES = { en: "English", zh: "中文" } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = "recollect.language";

function isLanguage(name: string | null | undefined): name is Language {
  return name !== null && name !== undefined && name in LANGUAGES;
}

/** Return the language chosen before, else the browser's first that there is. */
export function preferredLanguage(stored: string | null, browser: readonly string[]): Language {
  if (isLanguage(stored)) return stored;
  return browser.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

async function textsOf(language: Language): Promise<typeof en> {
  return language === "zh" ? (await import("./zh.json")).default : en;
}

export async function startLanguages(): Promise<void> {
  const language = preferredLanguage(localStorage.getItem(STORED), navigator.languages);
  const texts = await textsOf(language);
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: "en",
    resources: { [language]: { translation: texts } },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = language;
}

export async function changeLanguage(language: Language): Promise<void> {
  i18next.addResourceBundle(language, "translation", await textsOf(language));
  localStorage.setItem(STORED, language);
  document.documentElement.lang = language;
  await i18next.changeLanguage(language);
}
