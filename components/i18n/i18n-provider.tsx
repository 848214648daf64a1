"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { type UiLabels, UiLabelsProvider } from "@/components/ui/ui-labels";
import { createFormats, type Formats } from "./formats";
import { loadDictionary } from "./load-dictionary";
import { LOCALE_COOKIE, type Locale, ZONE_COOKIE, type Zone } from "./locale";
import { formatMessage, type MessageVariables } from "./message-format";
import type { Dictionary, MessageKey } from "./messages";

/** Fills the message of `key`; variables are asked for by name and a missing one throws. */
export type Translate = (key: MessageKey, variables?: MessageVariables) => string;

export interface I18n extends Formats {
  t: Translate;
  locale: Locale;
  setLocale: (locale: Locale) => void;
  zone: Zone;
  setZone: (zone: Zone) => void;
}

const I18nContext = createContext<I18n | null>(null);

const ONE_YEAR_S = 365 * 24 * 60 * 60;

function keepCookie(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is absent on plain-http addresses.
  document.cookie = `${name}=${value}; path=/; max-age=${ONE_YEAR_S}; samesite=lax`;
}

export interface LanguageProps {
  initialZone: Zone;
  children: ReactNode;
}

interface I18nProviderProps extends LanguageProps {
  initialLocale: Locale;
  /** Of the initial locale; another language's is fetched when it is chosen. */
  initialDictionary: Dictionary;
}

export function I18nProvider({ initialLocale, initialDictionary, initialZone, children }: I18nProviderProps) {
  const [{ locale, dictionary }, setLanguage] = useState({ locale: initialLocale, dictionary: initialDictionary });
  const [zone, setZone] = useState(initialZone);

  // The document's language tells screen readers and fonts; the server wrote the first one.
  useEffect(() => {
    document.documentElement.lang = locale === "zh" ? "zh-CN" : "en";
  }, [locale]);

  const value = useMemo<I18n>(
    () => ({
      ...createFormats(locale, zone),
      t: (key, variables = {}) => formatMessage(dictionary[key], variables, locale),
      locale,
      setLocale: (next) => {
        keepCookie(LOCALE_COOKIE, next);
        loadDictionary(next).then(
          (loaded) => setLanguage({ locale: next, dictionary: loaded }),
          // Gone with an older build, or no network: the page itself comes anew in the language of the cookie.
          () => window.location.reload(),
        );
      },
      zone,
      setZone: (next) => {
        keepCookie(ZONE_COOKIE, next);
        setZone(next);
      },
    }),
    [locale, dictionary, zone],
  );

  const labels = useMemo<UiLabels>(
    () => ({
      close: value.t("common.close"),
      cancel: value.t("common.cancel"),
      retry: value.t("common.retry"),
      copied: value.t("common.copied"),
      loading: value.t("common.loading"),
    }),
    [value],
  );

  return (
    <I18nContext.Provider value={value}>
      <UiLabelsProvider value={labels}>{children}</UiLabelsProvider>
    </I18nContext.Provider>
  );
}

export function useI18n(): I18n {
  const i18n = useContext(I18nContext);
  if (i18n === null) throw new Error("I18nProvider is missing above this component");
  return i18n;
}
