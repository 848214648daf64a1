"use client";

import { LockKeyhole } from "lucide-react";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { SignInForm } from "./sign-in-form";

/** Asks for the token on the page itself. Put away, it leaves a bar that brings it back. */
export function SessionEnded() {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(true);
  const here = window.location.pathname + window.location.search;
  return (
    <>
      {!isOpen && (
        <div
          role="alert"
          className="tone-warning fixed inset-x-3 bottom-18 z-30 mx-auto flex max-w-xl flex-wrap items-center gap-3 rounded-lg border border-tone-mark bg-tone-soft px-4 py-2.5 shadow-raised md:bottom-4"
        >
          <LockKeyhole aria-hidden className="size-4 shrink-0 text-tone" />
          <p className="min-w-0 flex-1 text-tone">{t("login.endedBar")}</p>
          <Button size="sm" onClick={() => setOpen(true)}>
            {t("login.submit")}
          </Button>
        </div>
      )}
      <Dialog open={isOpen} onOpenChange={setOpen} title={t("login.ended")} description={t("login.endedText")} size="sm">
        <SignInForm next={here} onSignedIn={() => {}} />
      </Dialog>
    </>
  );
}
