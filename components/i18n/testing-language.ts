import { createFormats } from "./formats";
import type { I18n } from "./i18n-provider";
import type { Locale } from "./locale";
import { formatMessage } from "./message-format";
import { MESSAGES } from "./messages";

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
