"use client";

import { I18nProvider, type LanguageProps } from "../i18n-provider";
import { english } from "./dictionary";

export function EnglishProvider(props: LanguageProps) {
  return <I18nProvider initialLocale="en" initialDictionary={english} {...props} />;
}
