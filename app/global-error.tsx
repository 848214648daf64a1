"use client";

import "./globals.css";
import dynamic from "next/dynamic";
import { LanguageProvider } from "@/components/i18n/language-provider";
import { localeFrom } from "@/components/i18n/locale";

/** Next sends this file with every page; what it draws comes when it is needed. */
const PageBroken = dynamic(() => import("@/components/shell/page-problem").then((module) => module.PageBroken));

interface GlobalErrorProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** When the root layout itself breaks: it stands without the layout's providers. */
export default function GlobalError({ error, reset }: GlobalErrorProps) {
  const locale = typeof navigator === "undefined" ? "en" : localeFrom(undefined, navigator.languages.join(","));
  return (
    <html lang={locale === "zh" ? "zh-CN" : "en"}>
      <body>
        <LanguageProvider initialLocale={locale} initialZone="local">
          <main>
            <PageBroken digest={error.digest} onRetry={reset} />
          </main>
        </LanguageProvider>
      </body>
    </html>
  );
}
