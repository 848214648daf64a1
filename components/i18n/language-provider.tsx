"use client";

import dynamic from "next/dynamic";
import { type ComponentType, useState } from "react";
import type { LanguageProps } from "./i18n-provider";
import type { Locale } from "./locale";

/** Next sends the file of the one that is drawn together with the page; for that it must see the import as it is called. */
const LANGUAGES: Record<Locale, ComponentType<LanguageProps>> = {
  en: dynamic(() => import("./english/english-provider").then(({ EnglishProvider }) => EnglishProvider)),
  zh: dynamic(() => import("./chinese/chinese-provider").then(({ ChineseProvider }) => ChineseProvider)),
};

interface LanguageProviderProps extends LanguageProps {
  initialLocale: Locale;
}

/** The language of the page, of which only the reader's own dictionary is sent. */
export function LanguageProvider({ initialLocale, initialZone, children }: LanguageProviderProps) {
  // A later answer of the server carries the new cookie; another component here would forget all that is entered below.
  const [first] = useState(initialLocale);
  const Language = LANGUAGES[first];
  return <Language initialZone={initialZone}>{children}</Language>;
}
