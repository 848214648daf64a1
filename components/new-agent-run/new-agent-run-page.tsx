"use client";

import { useSyncExternalStore } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { NewRunTabs } from "@/components/run-actions/new-run-tabs";
import { useModelConfig } from "@/components/run-actions/use-model-config";
import { useErrorText } from "@/components/trpc/use-error-text";
import { ErrorState } from "@/components/ui/error-state";
import { PageTitle } from "@/components/ui/page-title";
import { Skeleton } from "@/components/ui/skeleton";
import { AgentTaskForm } from "./agent-task-form";

const nothingToWatch = () => () => undefined;

/** The draft stands in the browser's storage, and what may be chosen in the configuration; the place of the form is kept until both are there. */
export function NewAgentRunPage() {
  const { t } = useI18n();
  const errorText = useErrorText();
  const query = useModelConfig();
  const isInBrowser = useSyncExternalStore(
    nothingToWatch,
    () => true,
    () => false,
  );
  return (
    <div className="mx-auto max-w-screen-xl space-y-4">
      <PageTitle title={t("newAgentRun.title")} />
      <h1 className="font-semibold text-xl tracking-tight">{t("newRun.title")}</h1>
      <NewRunTabs current="agent" />
      {isInBrowser && query.data !== undefined ? (
        <AgentTaskForm config={query.data} />
      ) : query.isError ? (
        <ErrorState
          title={t("newAgentRun.loadFailed")}
          message={errorText(query.error).title}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <div role="status" aria-label={t("common.loading")} className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
          <Skeleton className="h-120 rounded-lg!" />
          <Skeleton className="h-64 rounded-lg!" />
        </div>
      )}
    </div>
  );
}
