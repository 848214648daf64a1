"use client";

import { useSyncExternalStore } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { NewRunTabs } from "@/components/run-actions/new-run-tabs";
import { PageTitle } from "@/components/ui/page-title";
import { Skeleton } from "@/components/ui/skeleton";
import { NewRunForm } from "./new-run-form";

const nothingToWatch = () => () => undefined;

/** The draft stands in the browser's storage, so the form is drawn there; its place is kept until then. */
export function NewRunPage() {
  const { t } = useI18n();
  const inBrowser = useSyncExternalStore(
    nothingToWatch,
    () => true,
    () => false,
  );
  return (
    <div className="mx-auto max-w-screen-xl space-y-4">
      <PageTitle title={t("newRun.title")} />
      <h1 className="font-semibold text-xl tracking-tight">{t("newRun.title")}</h1>
      <NewRunTabs current="distill" />
      {inBrowser ? (
        <NewRunForm />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <Skeleton className="h-120 rounded-lg!" />
          <Skeleton className="h-64 rounded-lg!" />
        </div>
      )}
    </div>
  );
}
