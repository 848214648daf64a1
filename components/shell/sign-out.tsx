"use client";

import { LogOut } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { announceSignOut } from "@/components/trpc/session-state";
import { IconButton } from "@/components/ui/button";

/** Ends the browser's session and leaves for the sign-in page, as a form does. */
export function signOut(): void {
  announceSignOut();
  const form = document.createElement("form");
  form.method = "post";
  form.action = paths.api.signOut();
  document.body.append(form);
  form.submit();
}

export function SignOutButton() {
  const { t } = useI18n();
  return <IconButton label={t("login.signOut")} icon={<LogOut aria-hidden className="size-4" />} onClick={signOut} />;
}
