"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { type UiLabels, UiLabelsProvider } from "@/components/ui/ui-labels";
import { createFormats, type Formats } from "./formats";
import { LOCALE_COOKIE, type Locale, ZONE_COOKIE, type Zone } from "./locale";
import { formatMessage, type MessageVariables } from "./message-format";
import { MESSAGES, type MessageKey } from "./messages";

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
  // The Cookie Store API is absent on plain-http addresses.
  // biome-ignore lint/suspicious/noDocumentCookie: see above.
  document.cookie = `${name}=${value}; path=/; max-age=${ONE_YEAR_S}; samesite=lax`;
}

interface I18nProviderProps {
  initialLocale: Locale;
  initialZone: Zone;
  children: ReactNode;
}

export function I18nProvider({ initialLocale, initialZone, children }: I18nProviderProps) {
  const [locale, setLocale] = useState(initialLocale);
  const [zone, setZone] = useState(initialZone);

  // The document's language tells screen readers and fonts; the server wrote the first one.
  useEffect(() => {
    document.documentElement.lang = locale === "zh" ? "zh-CN" : "en";
  }, [locale]);

  const value = useMemo<I18n>(
    () => ({
      ...createFormats(locale, zone),
      t: (key, variables = {}) => formatMessage(MESSAGES[locale][key], variables, locale),
      locale,
      setLocale: (next) => {
        keepCookie(LOCALE_COOKIE, next);
        setLocale(next);
      },
      zone,
      setZone: (next) => {
        keepCookie(ZONE_COOKIE, next);
        setZone(next);
      },
    }),
    [locale, zone],
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
