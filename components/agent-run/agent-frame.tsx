"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useErrorText } from "@/components/trpc/use-error-text";
import { ErrorState } from "@/components/ui/error-state";
import { PageTitle } from "@/components/ui/page-title";
import { Skeleton } from "@/components/ui/skeleton";
import { LinkTabs } from "@/components/ui/tabs";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";
import { AgentHeader } from "./agent-header";
import { Composer } from "./composer";
import { FinalReply } from "./final-reply";
import { ProcessPanel } from "./process-panel";
import { QuestionCards } from "./question-cards";
import { AgentFacts } from "./run-facts";
import { useAgentRun, useAgentRunRefresh } from "./use-agent-run";

const VIEWS = [
  { tab: "summary", word: "agentRun.tab.conversation" },
  { tab: "events", word: "agentRun.tab.raw" },
] as const;

/** An agent run around the view that the address names: what it waits for and its reply first, the next turn and the process last. */
export function AgentFrame({ runId, children }: { runId: string; children: ReactNode }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const query = useAgentRun(runId);
  useAgentRunRefresh(runId);
  if (query.data === undefined && query.error === null) return <AgentFrameSkeleton />;
  const problem = query.error === null ? null : errorText(query.error);
  return (
    <>
      {problem !== null && (
        <ErrorState
          title={t("runDetail.loadFailed")}
          message={`${problem.title} ${problem.detail}`}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data !== undefined && <LoadedFrame run={query.data}>{children}</LoadedFrame>}
    </>
  );
}

function titleMark(run: AgentRunDetail): string {
  if (run.waitingFor !== null) return "? ";
  return run.status === "running" ? "● " : "";
}

function LoadedFrame({ run, children }: { run: AgentRunDetail; children: ReactNode }) {
  const { t, formatNumber } = useI18n();
  const pathname = usePathname();
  const current = pathname === paths.run(run.id, "events") ? "events" : "summary";
  const word = VIEWS.find(({ tab }) => tab === current)?.word ?? "agentRun.tab.conversation";
  return (
    <div className="mx-auto max-w-screen-2xl space-y-4">
      <PageTitle title={`${titleMark(run)}${run.name} · ${t(word)}`} />
      <AgentHeader run={run} />
      <QuestionCards run={run} />
      {/* Raw events have many columns: what stands beside the conversation stands below them. */}
      <div className={`grid items-start gap-4 ${current === "summary" ? "xl:grid-cols-[minmax(0,1fr)_20rem]" : ""}`}>
        <div className="min-w-0 space-y-4">
          <FinalReply run={run} />
          <div className="border-line border-b">
            <LinkTabs
              label={t("agentRun.tabs")}
              tabs={VIEWS.map(({ tab, word: label }) => ({
                href: paths.run(run.id, tab),
                label: t(label),
                current: tab === current,
                extra:
                  tab === "events" ? (
                    <span className="text-ink-faint text-xs tabular-nums">{formatNumber(run.lastSeq)}</span>
                  ) : null,
              }))}
            />
          </div>
          {children}
          <Composer run={run} />
        </div>
        <aside className="grid min-w-0 gap-4">
          <ProcessPanel run={run} />
          <AgentFacts run={run} />
        </aside>
      </div>
    </div>
  );
}

function AgentFrameSkeleton() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("runDetail.loading")} className="mx-auto max-w-screen-2xl space-y-4">
      <Skeleton className="h-7 w-72" />
      <Skeleton className="h-5 w-96 max-w-full" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
