"use client";

import { Ellipsis, Languages, LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { buttonClass } from "@/components/ui/button";
import { Menu, type MenuAction } from "@/components/ui/menu";
import { signOut } from "./sign-out";

const TRIGGER = buttonClass("ghost", "md", "w-9 px-0! touch:w-11");
/** Any pace does: only "is this the browser?" is asked. */
const SELDOM_MS = 60_000;

function useLanguageActions(): MenuAction[] {
  const { locale, setLocale } = useI18n();
  return [
    { key: "en", label: "English", checked: locale === "en", onSelect: () => setLocale("en") },
    { key: "zh", label: "中文", checked: locale === "zh", onSelect: () => setLocale("zh") },
  ];
}

function useThemeActions(): MenuAction[] {
  const { t } = useI18n();
  const { theme, setTheme } = useTheme();
  return [
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
  ];
}

export function LanguageMenu() {
  const { t } = useI18n();
  return (
    <Menu
      label={t("shell.language")}
      triggerClassName={TRIGGER}
      trigger={<Languages aria-hidden className="size-4" />}
      actions={useLanguageActions()}
    />
  );
}

export function ThemeMenu() {
  const { t } = useI18n();
  const { resolvedTheme } = useTheme();
  // The server does not know the theme; until the browser does, both sides draw the same icon.
  const inBrowser = useNow(SELDOM_MS) !== null;
  const Icon = inBrowser && resolvedTheme === "dark" ? Moon : Sun;
  return (
    <Menu
      label={t("shell.theme")}
      triggerClassName={TRIGGER}
      trigger={<Icon aria-hidden className="size-4" />}
      actions={useThemeActions()}
    />
  );
}

/** Language, colours and the way out behind one button, where the bar has no room for three. */
export function MoreMenu() {
  const { t } = useI18n();
  const [firstTheme, ...themes] = useThemeActions();
  return (
    <Menu
      label={t("shell.more")}
      triggerClassName={TRIGGER}
      trigger={<Ellipsis aria-hidden className="size-4" />}
      actions={[
        ...useLanguageActions(),
        ...(firstTheme ? [{ ...firstTheme, separated: true }] : []),
        ...themes,
        {
          key: "sign-out",
          label: t("login.signOut"),
          icon: <LogOut aria-hidden className="size-4" />,
          separated: true,
          onSelect: signOut,
        },
      ]}
    />
  );
}
