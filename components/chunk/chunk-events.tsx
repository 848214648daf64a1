"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useTRPC } from "@/components/trpc/trpc-client";
import { ErrorState } from "@/components/ui/error-state";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";

/** Events of one attempt shown here; all of them are on the events tab. */
const SHOWN = 100;

interface ChunkEventsProps {
  runId: string;
  chunk: number;
  /** Null: those of the chunk, which no attempt was made for. */
  attempt: number | null;
}

/** The trace of one attempt; the page around it reads it again when the chunk goes on. */
export function ChunkEvents({ runId, chunk, attempt }: ChunkEventsProps) {
  const { t, formatClock, formatTime } = useI18n();
  const api = useTRPC();
  const options = api.events.list.queryOptions({ runId, chunk, limit: SHOWN, ...(attempt === null ? {} : { attempt }) });
  const query = useQuery(options);
  return (
    <Panel
      title={t("chunk.events")}
      flush
      actions={
        <Link href={paths.run(runId, "events", { chunk })} className="rounded-sm text-xs underline">
          {t("chunk.eventsAll")}
        </Link>
      }
    >
      {query.data === undefined ? (
        query.error === null ? (
          <Skeleton className="m-4 h-40" />
        ) : (
          <ErrorState title={t("chunk.eventsFailed")} message={query.error.message} onRetry={() => void query.refetch()} />
        )
      ) : (
        <>
          {query.data.items.length === 0 && <p className="p-4 text-ink-soft">{t("chunk.eventsNone")}</p>}
          <ul className="divide-y divide-line text-xs">
            {query.data.items.map((event) => (
              <li key={event.seq} className="px-4 py-1.5">
                <details>
                  <summary
                    aria-label={t("chunk.showPayload", { seq: event.seq })}
                    className="flex cursor-pointer items-baseline gap-3 rounded-sm touch:min-h-9"
                  >
                    <span className="w-10 shrink-0 text-right text-ink-faint tabular-nums">{event.seq}</span>
                    <time dateTime={event.ts} title={formatTime(event.ts)} className="shrink-0 text-ink-faint tabular-nums">
                      {formatClock(event.ts)}
                    </time>
                    <span className="min-w-0 truncate font-mono">{event.type}</span>
                  </summary>
                  <pre className="mt-1 overflow-x-auto whitespace-pre-wrap break-words font-mono text-ink-soft">
                    {JSON.stringify(event.payload, null, 2)}
                  </pre>
                </details>
              </li>
            ))}
          </ul>
          {query.data.hasMore && <p className="px-4 py-2 text-ink-faint text-xs">{t("chunk.eventsMore", { count: SHOWN })}</p>}
        </>
      )}
    </Panel>
  );
}
