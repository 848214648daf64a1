"use client";

import { Languages, Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { buttonClass } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";

const TRIGGER = buttonClass("ghost", "md", "w-9 px-0! touch:w-11");
/** Any pace does: only "is this the browser?" is asked. */
const SELDOM_MS = 60_000;

export function LanguageMenu() {
  const { t, locale, setLocale } = useI18n();
  return (
    <Menu
      label={t("shell.language")}
      triggerClassName={TRIGGER}
      trigger={<Languages aria-hidden className="size-4" />}
      actions={[
        { key: "en", label: "English", checked: locale === "en", onSelect: () => setLocale("en") },
        { key: "zh", label: "中文", checked: locale === "zh", onSelect: () => setLocale("zh") },
      ]}
    />
  );
}

export function ThemeMenu() {
  const { t } = useI18n();
  const { theme, setTheme, resolvedTheme } = useTheme();
  // The server does not know the theme; until the browser does, both sides draw the same icon.
  const inBrowser = useNow(SELDOM_MS) !== null;
  const Icon = inBrowser && resolvedTheme === "dark" ? Moon : Sun;
  return (
    <Menu
      label={t("shell.theme")}
      triggerClassName={TRIGGER}
      trigger={<Icon aria-hidden className="size-4" />}
      actions={[
        {
          key: "light",
          label: t("shell.themeLight"),
          icon: <Sun aria-hidden className="size-4" />,
          checked: theme === "light",
          onSelect: () => setTheme("light"),
        },
        {
          key: "dark",
          label: t("shell.themeDark"),
          icon: <Moon aria-hidden className="size-4" />,
          checked: theme === "dark",
          onSelect: () => setTheme("dark"),
        },
        {
          key: "system",
          label: t("shell.themeSystem"),
          icon: <Monitor aria-hidden className="size-4" />,
          checked: theme === "system",
          onSelect: () => setTheme("system"),
        },
      ]}
    />
  );
}
