"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { LanguageProvider } from "@/components/i18n/language-provider";
import type { Locale, Zone } from "@/components/i18n/locale";
import { Toasts } from "./toasts";

interface AppProvidersProps {
  locale: Locale;
  zone: Zone;
  /** Of this response's content security policy. */
  nonce: string | undefined;
  children: ReactNode;
}

/** What every page stands in, the error pages too. */
export function AppProviders({ locale, zone, nonce, children }: AppProvidersProps) {
  return (
    <CSPProvider nonce={nonce}>
      <ThemeProvider
        attribute="class"
        defaultTheme="system"
        enableSystem
        disableTransitionOnChange
        {...(nonce === undefined ? {} : { nonce })}
      >
        <LanguageProvider initialLocale={locale} initialZone={zone}>
          <NuqsAdapter>
            <Tooltip.Provider>{children}</Tooltip.Provider>
            <Toasts />
          </NuqsAdapter>
        </LanguageProvider>
      </ThemeProvider>
    </CSPProvider>
  );
}
