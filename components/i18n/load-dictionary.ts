import type { Locale } from "./locale";
import type { Dictionary } from "./messages";

/** Each language is a file of its own, fetched when a reader asks for it. */
const LOADERS: Record<Locale, () => Promise<Dictionary>> = {
  en: () => import("./english/dictionary").then(({ english }) => english),
  zh: () => import("./chinese/dictionary").then(({ chinese }) => chinese),
};

/** Rejects when the file cannot be fetched. */
export function loadDictionary(locale: Locale): Promise<Dictionary> {
  return LOADERS[locale]();
}
