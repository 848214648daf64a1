import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { LOCALE_COOKIE, localeFrom, ZONE_COOKIE, zoneFrom } from "@/components/i18n/locale";
import { AppProviders } from "@/components/shell/app-providers";

export const metadata: Metadata = {
  applicationName: "Switchyard",
  description: "Console for bulk LLM runs",
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#151a21" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const [head, jar] = await Promise.all([headers(), cookies()]);
  const locale = localeFrom(jar.get(LOCALE_COOKIE)?.value, head.get("accept-language"));
  return (
    // next-themes writes the theme's class before React wakes up.
    <html lang={locale === "zh" ? "zh-CN" : "en"} suppressHydrationWarning>
      <body>
        <AppProviders locale={locale} zone={zoneFrom(jar.get(ZONE_COOKIE)?.value)} nonce={head.get("x-nonce") ?? undefined}>
          {children}
        </AppProviders>
      </body>
    </html>
  );
}
