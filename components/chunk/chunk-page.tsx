"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsInteger, useQueryState } from "nuqs";
import { useEffect, useEffectEvent } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { errorCodeOf } from "@/components/trpc/error-code";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { ErrorState } from "@/components/ui/error-state";
import { Panel } from "@/components/ui/panel";
import { isShortcutBlocked } from "@/components/ui/shortcut";
import { Skeleton } from "@/components/ui/skeleton";
import type { ChunkDetail } from "@/server/runs/run.schema";
import { ArtifactPanel } from "./artifact-panel";
import { AttemptPanel } from "./attempt-panel";
import { AttemptTabs } from "./attempt-tabs";
import { BesidePanel } from "./beside-panel";
import { ChunkEvents } from "./chunk-events";
import { ChunkHeader } from "./chunk-header";
import { ChunkNotFound } from "./chunk-not-found";
import { LedgerPanel } from "./ledger-panel";
import { SourceText } from "./source-text";
import { useChunk } from "./use-chunk";

const RESULT_VIEWS = ["pretty", "raw"] as const;
const REQUEST_VIEWS = ["pretty", "prompt", "raw"] as const;

interface ChunkPageProps {
  runId: string;
  index: number;
}

/** One chunk: its attempts as tabs, request and result, the text it was made from, its events. */
export function ChunkPage({ runId, index }: ChunkPageProps) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const query = useChunk(runId, index);
  if (query.data !== undefined) {
    return (
      <div className="mx-auto max-w-screen-2xl space-y-4">
        {query.error !== null && (
          <ErrorState title={t("chunk.loadFailed")} message={errorText(query.error).title} onRetry={() => void query.refetch()} />
        )}
        <ChunkLoaded runId={runId} chunk={query.data} />
      </div>
    );
  }
  if (query.error === null) return <ChunkSkeleton />;
  if (errorCodeOf(query.error) === "not_found") return <ChunkGone runId={runId} index={index} />;
  const { title, detail } = errorText(query.error);
  return (
    <ErrorState
      title={t("chunk.loadFailed")}
      message={`${title} ${detail}`.trim()}
      retrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  );
}

/** A chunk that was there when the page was made. */
function ChunkGone({ runId, index }: ChunkPageProps) {
  const run = useQuery(useTRPC().runs.get.queryOptions({ id: runId }));
  if (run.isPending) return <ChunkSkeleton />;
  return <ChunkNotFound runId={runId} index={String(index)} chunks={run.data?.counts.total ?? null} />;
}

function ChunkLoaded({ runId, chunk }: { runId: string; chunk: ChunkDetail }) {
  const { t } = useI18n();
  const run = useQuery(useTRPC().runs.get.queryOptions({ id: runId }));
  const [wanted, setWanted] = useQueryState("attempt", parseAsInteger.withOptions({ history: "replace" }));
  const attempt = chunk.attempts.find((each) => each.number === wanted) ?? chunk.attempts.at(-1) ?? null;
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const number = Number(event.key);
    if (isShortcutBlocked(event) || !chunk.attempts.some((each) => each.number === number)) return;
    event.preventDefault();
    void setWanted(number);
  });
  // Digits choose an attempt; keys come from the document.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  return (
    <>
      <ChunkHeader runId={runId} chunk={chunk} />
      {wanted !== null && attempt !== null && wanted !== attempt.number && (
        <p className="tone-warning text-tone">{t("chunk.attemptMissing", { number: wanted })}</p>
      )}
      {attempt === null ? (
        <p className="rounded-lg border border-line bg-surface px-4 py-3 text-ink-soft">{t("chunk.noAttempt")}</p>
      ) : (
        <div>
          <AttemptTabs
            attempts={chunk.attempts}
            accepted={chunk.acceptedAttempt}
            shown={attempt.number}
            onShow={(number) => void setWanted(number)}
          />
          <AttemptPanel attempt={attempt} />
        </div>
      )}
      <BesidePanel chunk={chunk} run={run.data} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="min-w-0 space-y-4">
          {attempt?.result && <LedgerPanel resultBody={attempt.result.body} />}
          {attempt !== null && <ResultPanel runId={runId} attempt={attempt} />}
          {attempt?.repairRequest && (
            <ArtifactPanel
              key={attempt.repairRequest.id}
              runId={runId}
              title={t("chunk.repairRequest")}
              artifact={attempt.repairRequest}
              views={REQUEST_VIEWS}
            />
          )}
          <ArtifactPanel runId={runId} title={t("chunk.request")} artifact={chunk.request} views={REQUEST_VIEWS} />
        </div>
        <div className="min-w-0 space-y-4">
          <SourceText chunk={chunk} />
          <ChunkEvents runId={runId} chunk={chunk.index} attempt={attempt?.number ?? null} />
        </div>
      </div>
    </>
  );
}

function ResultPanel({ runId, attempt }: { runId: string; attempt: ChunkDetail["attempts"][number] }) {
  const { t } = useI18n();
  const { result } = attempt;
  if (result === null) {
    return (
      <Panel title={t("chunk.result")}>
        <p className="text-ink-soft">{t(attempt.endedAt === null ? "chunk.resultNone" : "chunk.resultNever")}</p>
      </Panel>
    );
  }
  return <ArtifactPanel key={result.id} runId={runId} title={t("chunk.result")} artifact={result} views={RESULT_VIEWS} />;
}

function ChunkSkeleton() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("chunk.loading")} className="mx-auto max-w-screen-2xl space-y-4">
      <Skeleton className="h-16 w-96 max-w-full" />
      <Skeleton className="h-56 w-full" />
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-96 w-full" />
        <Skeleton className="h-96 w-full" />
      </div>
    </div>
  );
}
