"use client";

import { parseAsArrayOf, parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import { copyText } from "@/components/ui/copy-text";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import { EVENT_TYPES } from "@/server/events/event.schema";
import { EventFilters } from "./event-filters";
import { EventRow } from "./event-row";
import { type EventWindow, useEventWindow } from "./use-event-window";

const PARSERS = { type: parseAsArrayOf(parseAsStringLiteral(EVENT_TYPES)).withDefault([]), chunk: parseAsInteger };

/** The trace of a run: a window that moves both ways, filtered in the address, live until it is paused. */
export function EventsPanel({ runId }: { runId: string }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const [filter, setFilter] = useQueryStates(PARSERS, { history: "replace" });
  const [follow, setFollow] = useState(true);
  const events = useEventWindow(runId, { types: filter.type, chunk: filter.chunk }, follow);
  const isFiltered = filter.type.length > 0 || filter.chunk !== null;
  const lastShown = events.items.at(-1)?.seq ?? 0;
  const unseen = follow || isFiltered ? 0 : Math.max(0, events.lastSeq - lastShown);
  const copy = () => {
    void copyText(events.items.map((event) => JSON.stringify(event)).join("\n")).then((done) => {
      if (done) toast.success(t("events.copied", { count: events.items.length }));
      else toast.error(t("events.copyRefused"));
    });
  };
  return (
    <div className="space-y-3">
      <EventFilters
        runId={runId}
        types={filter.type}
        chunk={filter.chunk}
        onFilter={(next) => void setFilter(next)}
        onJump={(seq) => {
          setFollow(false);
          events.jump(seq);
        }}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          onClick={() => {
            setFollow(false);
            events.first();
          }}
        >
          {t("events.first")}
        </Button>
        <Button size="sm" onClick={events.latest}>
          {t("events.last")}
        </Button>
        <Button
          size="sm"
          aria-pressed={!follow}
          onClick={() => {
            setFollow(!follow);
            if (!follow) events.latest();
          }}
        >
          {t(follow ? "events.pause" : "events.resume")}
        </Button>
        {unseen > 0 && (
          <span className="tone-active rounded-full bg-tone-soft px-2 py-0.5 text-tone text-xs tabular-nums">
            {t("events.new", { count: unseen })}
          </span>
        )}
        <Button size="sm" className="ml-auto" onClick={copy} disabledReason={events.items.length === 0 ? t("events.none") : null}>
          {t("events.copy")}
        </Button>
      </div>
      {events.error !== null && (
        <ErrorState
          title={t("events.loadFailed")}
          message={`${errorText(events.error).title} ${errorText(events.error).detail}`}
          onRetry={events.latest}
        />
      )}
      <EventList runId={runId} events={events} isFiltered={isFiltered} onClear={() => void setFilter(null)} />
    </div>
  );
}

interface EventListProps {
  runId: string;
  events: EventWindow;
  isFiltered: boolean;
  onClear: () => void;
}

function EventList({ runId, events, isFiltered, onClear }: EventListProps) {
  const { t } = useI18n();
  if (events.items.length === 0 && events.loading) return <Skeleton className="h-96 w-full" />;
  if (events.items.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <EmptyState
          title={t(isFiltered ? "events.noMatch" : "events.none")}
          actions={isFiltered ? <Button onClick={onClear}>{t("events.clear")}</Button> : null}
        />
      </div>
    );
  }
  return (
    <div className="rounded-lg border border-line bg-surface shadow-panel">
      <Edge
        more={events.hasOlder}
        label={t("events.older")}
        end={t("events.atStart")}
        pending={events.loading}
        onMore={events.older}
      />
      <ol aria-label={t("events.list")} className="divide-y divide-line border-line border-y">
        {events.items.map((event) => (
          <EventRow key={event.seq} runId={runId} event={event} />
        ))}
      </ol>
      <Edge
        more={events.hasNewer}
        label={t("events.newer")}
        end={t("events.atEnd")}
        pending={events.loading}
        onMore={events.newer}
      />
    </div>
  );
}

interface EdgeProps {
  more: boolean;
  label: string;
  end: string;
  pending: boolean;
  onMore: () => void;
}

function Edge({ more, label, end, pending, onMore }: EdgeProps) {
  return (
    <div className="flex min-h-11 items-center justify-center px-3 text-ink-faint text-xs">
      {more ? (
        <Button size="sm" variant="ghost" pending={pending} onClick={onMore}>
          {label}
        </Button>
      ) : (
        end
      )}
    </div>
  );
}
