"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, RotateCw } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { ChunkStatusBadge } from "@/components/status/chunk-status-badge";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button, IconButton } from "@/components/ui/button";
import { isShortcutBlocked } from "@/components/ui/shortcut";
import type { ChunkDetail } from "@/server/runs/run.schema";

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
  const failed = (run.data?.errorGroups ?? []).flatMap((group) => group.chunks).sort((a, b) => a - b);
  const neighbours: Neighbours = {
    previous: chunk.index > 1 ? chunk.index - 1 : null,
    next: chunk.index < total ? chunk.index + 1 : null,
    previousFailed: failed.findLast((index) => index < chunk.index) ?? null,
    nextFailed: failed.find((index) => index > chunk.index) ?? null,
  };
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <p className="text-ink-faint text-xs">
          <Link href={paths.run(runId)} className="rounded-sm hover:underline">
            {run.data?.name ?? t("chunk.back")}
          </Link>
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="font-semibold text-xl tracking-tight">{t("chunk.title", { index: chunk.index })}</h1>
          <ChunkStatusBadge status={chunk.status} />
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
        <RetryChunk runId={runId} chunk={chunk} />
      </nav>
    </header>
  );
}

function NeighbourButtons({ runId, neighbours }: { runId: string; neighbours: Neighbours }) {
  const { t } = useI18n();
  const router = useRouter();
  const { previousFailed, nextFailed } = neighbours;
  // [ and ] go from failure to failure.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isShortcutBlocked(event)) return;
      const target = event.key === "[" ? previousFailed : event.key === "]" ? nextFailed : null;
      if (target !== null) router.push(paths.chunk(runId, target));
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [router, runId, previousFailed, nextFailed]);
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

function RetryChunk({ runId, chunk }: { runId: string; chunk: ChunkDetail }) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const retry = useMutation(
    api.runs.retry.mutationOptions({
      onSuccess: ({ requeued, skipped }) => {
        const [first] = skipped;
        if (requeued > 0) toast.success(t("chunk.retried"));
        else toast.warning(t("chunk.retrySkipped", { reason: first?.reason ?? "" }));
        void queryClient.invalidateQueries({ queryKey: api.chunks.get.queryKey({ runId, index: chunk.index }) });
      },
      onError: (error) => {
        const { title, detail } = errorText(error);
        toast.error(t("chunk.retryFailed"), { description: `${title} ${detail}`.trim() });
      },
    }),
  );
  return (
    <Button
      size="sm"
      variant={chunk.status === "failed" ? "primary" : "secondary"}
      icon={<RotateCw aria-hidden className="size-3.5" />}
      pending={retry.isPending}
      disabledReason={chunk.status === "failed" ? null : t("chunk.retryRefused")}
      onClick={() => retry.mutate({ id: runId, chunks: [chunk.index] })}
    >
      {t("chunk.retry")}
    </Button>
  );
}
