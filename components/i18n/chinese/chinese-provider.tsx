"use client";

import { I18nProvider, type LanguageProps } from "../i18n-provider";
import { chinese } from "./dictionary";

export function ChineseProvider(props: LanguageProps) {
  return <I18nProvider initialLocale="zh" initialDictionary={chinese} {...props} />;
}
