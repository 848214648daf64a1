import { chinese } from "./chinese/dictionary";
import { english } from "./english/dictionary";
import { createFormats } from "./formats";
import type { I18n } from "./i18n-provider";
import type { Locale } from "./locale";
import { formatMessage } from "./message-format";
import type { Dictionary } from "./messages";

/** All languages at once; only tests import it. */
export const MESSAGES: Record<Locale, Dictionary> = { en: english, zh: chinese };

/** A language without a page around it, times in UTC; only tests import it. */
export function languageOf(locale: Locale): I18n {
  return {
    ...createFormats(locale, "utc"),
    t: (key, variables = {}) => formatMessage(MESSAGES[locale][key], variables, locale),
    locale,
    setLocale: () => {},
    zone: "utc",
    setZone: () => {},
  };
}
