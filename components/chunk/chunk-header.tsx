"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { paths } from "@/components/paths";
import { AnswerMarks } from "@/components/status/answer-marks";
import { ChunkStatusBadge } from "@/components/status/chunk-status-badge";
import { useTRPC } from "@/components/trpc/trpc-client";
import { IconButton } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page-title";
import { isShortcutBlocked } from "@/components/ui/shortcut";
import type { ChunkDetail } from "@/server/runs/run.schema";
import { RetryChunk } from "./retry-chunk";
import { useFailedNeighbours } from "./use-failed-neighbours";

const REFRESH_MS = 1_000;

/** Where one can go from a chunk; null = nowhere. */
interface Neighbours {
  previous: number | null;
  next: number | null;
  previousFailed: number | null;
  nextFailed: number | null;
}

export function ChunkHeader({ runId, chunk }: { runId: string; chunk: ChunkDetail }) {
  const { t, formatNumber } = useI18n();
  const api = useTRPC();
  const run = useQuery(api.runs.get.queryOptions({ id: runId }));
  const total = run.data?.counts.total ?? chunk.index;
  const failed = useFailedNeighbours(runId, chunk.index, run.data?.counts.failed ?? 0);
  const neighbours: Neighbours = {
    previous: chunk.index > 1 ? chunk.index - 1 : null,
    next: chunk.index < total ? chunk.index + 1 : null,
    previousFailed: failed.previous,
    nextFailed: failed.next,
  };
  const title = t("chunk.title", { index: chunk.index });
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <PageTitle title={run.data === undefined ? title : `${title} · ${run.data.name}`} />
        <p className="flex flex-wrap gap-x-1.5 text-ink-faint text-xs">
          <Link href={paths.run(runId)} className="rounded-sm hover:underline">
            {run.data?.name ?? t("chunk.back")}
          </Link>
          <span aria-hidden>/</span>
          <Link href={paths.run(runId, "chunks")} className="rounded-sm hover:underline">
            {t("chunk.allChunks")}
          </Link>
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
          <ChunkStatusBadge status={chunk.status} />
          <AnswerMarks answer={chunk} />
          {chunk.insights !== null && <span className="text-ink-soft">{t("chunk.insights", { count: chunk.insights })}</span>}
          {chunk.dueAt !== null && <NextAttempt dueAt={chunk.dueAt} />}
        </div>
        <p className="break-words text-ink-faint text-xs">
          {t("chunk.position", {
            document: chunk.document,
            start: formatNumber(chunk.sourceStart),
            end: formatNumber(chunk.sourceEnd),
            tokens: t("runDetail.tokens", { count: chunk.tokens }),
          })}
        </p>
      </div>
      <nav aria-label={t("chunk.neighbours")} className="flex flex-wrap items-center gap-2">
        <NeighbourButtons runId={runId} neighbours={neighbours} />
      </nav>
      <RetryChunk chunk={chunk} run={run.data} />
    </header>
  );
}

function NextAttempt({ dueAt }: { dueAt: string }) {
  const { t, formatDuration, formatTime } = useI18n();
  const now = useNow(REFRESH_MS);
  if (now === null) return null;
  const left = Date.parse(dueAt) - now;
  return (
    <span title={formatTime(dueAt)} className="tone-retry text-tone text-xs tabular-nums">
      {left > 0 ? t("chunk.willRetry", { duration: formatDuration(left) }) : t("chunk.willRetryNow")}
    </span>
  );
}

function NeighbourButtons({ runId, neighbours }: { runId: string; neighbours: Neighbours }) {
  const { t } = useI18n();
  const router = useRouter();
  const { previousFailed, nextFailed } = neighbours;
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const target = event.key === "[" ? previousFailed : event.key === "]" ? nextFailed : null;
    if (target === null || isShortcutBlocked(event)) return;
    event.preventDefault();
    router.push(paths.chunk(runId, target));
  });
  // [ and ] go from failure to failure; keys come from the document.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
  const go = (label: string, icon: ReactNode, index: number | null, refusal: string) => (
    <IconButton
      key={label}
      size="sm"
      variant="secondary"
      label={label}
      icon={icon}
      disabledReason={index === null ? refusal : null}
      onClick={() => index !== null && router.push(paths.chunk(runId, index))}
    />
  );
  const icon = "size-4";
  return (
    <>
      {go(t("chunk.previousFailed"), <ChevronsLeft aria-hidden className={icon} />, previousFailed, t("chunk.noPreviousFailed"))}
      {go(t("chunk.previous"), <ChevronLeft aria-hidden className={icon} />, neighbours.previous, t("chunk.noPrevious"))}
      {go(t("chunk.next"), <ChevronRight aria-hidden className={icon} />, neighbours.next, t("chunk.noNext"))}
      {go(t("chunk.nextFailed"), <ChevronsRight aria-hidden className={icon} />, nextFailed, t("chunk.noNextFailed"))}
    </>
  );
}
