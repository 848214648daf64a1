"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { parseAsInteger, useQueryState } from "nuqs";
import { useEffect } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { errorCodeOf } from "@/components/trpc/error-code";
import { useRunChange } from "@/components/trpc/live-provider";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageTitle } from "@/components/ui/page-title";
import { isShortcutBlocked } from "@/components/ui/shortcut";
import { Skeleton } from "@/components/ui/skeleton";
import type { ChunkDetail } from "@/server/runs/run.schema";
import { ArtifactPanel } from "./artifact-panel";
import { AttemptPanel } from "./attempt-panel";
import { AttemptTabs } from "./attempt-tabs";
import { ChunkEvents } from "./chunk-events";
import { ChunkHeader } from "./chunk-header";
import { SourceText } from "./source-text";

interface ChunkPageProps {
  runId: string;
  index: number;
}

/** One chunk: its attempts as tabs, request and result, the text it was made from, its events. */
export function ChunkPage({ runId, index }: ChunkPageProps) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const options = api.chunks.get.queryOptions({ runId, index });
  const query = useQuery(options);
  useRunChange(runId, () => void queryClient.invalidateQueries({ queryKey: options.queryKey }));
  if (query.data !== undefined) return <ChunkLoaded runId={runId} chunk={query.data} />;
  if (query.error === null) return <ChunkSkeleton />;
  const { title, detail } = errorText(query.error);
  if (errorCodeOf(query.error) === "not_found") {
    const isRun = !/has no chunk/.test(detail) && !/has no chunk/.test(query.error.message);
    const sentence = isRun ? t("chunk.runNotFound") : t("chunk.notFound", { index });
    return (
      <div className="py-12">
        <PageTitle title={sentence} />
        <EmptyState
          title={<h1>{sentence}</h1>}
          actions={
            <ButtonLink href={isRun ? paths.runs() : paths.run(runId)}>
              {t(isRun ? "runDetail.allRuns" : "chunk.back")}
            </ButtonLink>
          }
        />
      </div>
    );
  }
  return <ErrorState title={t("chunk.loadFailed")} message={`${title} ${detail}`} onRetry={() => void query.refetch()} />;
}

function ChunkLoaded({ runId, chunk }: { runId: string; chunk: ChunkDetail }) {
  const { t } = useI18n();
  const [wanted, setWanted] = useQueryState("attempt", parseAsInteger.withOptions({ history: "replace" }));
  const numbers = chunk.attempts.map((attempt) => attempt.number);
  const preferred = chunk.acceptedAttempt ?? numbers.at(-1) ?? null;
  const shown = wanted !== null && numbers.includes(wanted) ? wanted : preferred;
  const attempt = chunk.attempts.find((each) => each.number === shown) ?? null;
  // Digits choose an attempt from the keyboard.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const number = Number(event.key);
      if (isShortcutBlocked(event) || !chunk.attempts.some((each) => each.number === number)) return;
      void setWanted(number);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [chunk.attempts, setWanted]);
  return (
    <div className="mx-auto max-w-screen-2xl space-y-4">
      <PageTitle title={t("chunk.title", { index: chunk.index })} />
      <ChunkHeader runId={runId} chunk={chunk} />
      {wanted !== null && wanted !== shown && (
        <p className="tone-warning text-tone">{t("chunk.attemptMissing", { number: wanted })}</p>
      )}
      {attempt === null ? (
        <p className="rounded-lg border border-line bg-surface px-4 py-3 text-ink-soft">{t("chunk.noAttempt")}</p>
      ) : (
        <>
          <AttemptTabs
            attempts={chunk.attempts}
            accepted={chunk.acceptedAttempt}
            shown={attempt.number}
            onShow={(number) => void setWanted(number)}
          />
          <AttemptPanel attempt={attempt} />
        </>
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        {attempt?.result ? (
          <ArtifactPanel runId={runId} title={t("chunk.result")} artifact={attempt.result} />
        ) : (
          attempt !== null && (
            <section className="rounded-lg border border-line bg-surface px-4 py-3 text-ink-soft">
              {t(attempt.endedAt === null ? "chunk.resultNone" : "chunk.resultNever")}
            </section>
          )
        )}
        <ArtifactPanel runId={runId} title={t("chunk.request")} artifact={chunk.request} />
        <SourceText chunk={chunk} />
        <ChunkEvents runId={runId} chunk={chunk.index} attempt={attempt?.number ?? null} />
      </div>
    </div>
  );
}

function ChunkSkeleton() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("common.loading")} className="mx-auto max-w-screen-2xl space-y-4">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  );
}
