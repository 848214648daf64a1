"use client";

import "./globals.css";
import { I18nProvider } from "@/components/i18n/i18n-provider";
import { localeFrom } from "@/components/i18n/locale";
import { PageBroken } from "@/components/shell/page-problem";

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
        <I18nProvider initialLocale={locale} initialZone="local">
          <main>
            <PageBroken digest={error.digest} onRetry={reset} />
          </main>
        </I18nProvider>
      </body>
    </html>
  );
}
