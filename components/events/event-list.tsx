"use client";

import { useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { useFillHeight } from "@/components/ui/use-fill-height";
import { EventHeads, EventRow } from "./event-row";
import type { EventWindow } from "./use-event-window";
import { useScrollHold } from "./use-scroll-hold";

/** Scrolled so near to an edge of the window, the next page is read. */
const READ_AHEAD_PX = 200;

interface EventListProps {
  runId: string;
  events: EventWindow;
  follow: boolean;
  marked: number | null;
  isFiltered: boolean;
  onClear: () => void;
}

export function EventList({ isFiltered, onClear, ...list }: EventListProps) {
  const { t } = useI18n();
  const { items, loading } = list.events;
  if (items.length > 0) return <ScrolledList {...list} />;
  if (loading) return <Skeleton className="h-[65vh] w-full" />;
  return (
    <div className="rounded-lg border border-line bg-surface">
      <EmptyState
        title={t(isFiltered ? "events.noMatch" : "events.none")}
        actions={isFiltered ? <Button onClick={onClear}>{t("events.clear")}</Button> : null}
      />
    </div>
  );
}

/** Ends with the window: one scrollbar for the trace, none for the page around it. */
function ScrolledList({ runId, events, follow, marked }: Omit<EventListProps, "isFiltered" | "onClear">) {
  const { t } = useI18n();
  const scroller = useRef<HTMLDivElement>(null);
  const height = useFillHeight(scroller);
  const remember = useScrollHold(scroller, { items: events.items, follow, marked });
  const readAhead = (element: HTMLElement) => {
    remember();
    if (events.loading) return;
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (element.scrollTop < READ_AHEAD_PX && events.hasOlder) events.older();
    else if (below < READ_AHEAD_PX && events.hasNewer) events.newer();
  };
  return (
    <div
      ref={scroller}
      onScroll={(event) => readAhead(event.currentTarget)}
      style={{ maxHeight: height ?? "65vh" }}
      className="relative overflow-y-auto overflow-x-hidden rounded-lg border border-line bg-surface shadow-panel [overflow-anchor:none]"
    >
      <EventHeads />
      <Edge more={events.hasOlder} label={t("events.older")} end={t("events.atStart")} onMore={events.older} />
      <ol aria-label={t("events.list")} className="divide-y divide-line border-line border-y">
        {events.items.map((event) => (
          <EventRow key={event.seq} runId={runId} event={event} isMarked={event.seq === marked} />
        ))}
      </ol>
      <Edge more={events.hasNewer} label={t("events.newer")} end={t("events.atEnd")} onMore={events.newer} />
    </div>
  );
}

interface EdgeProps {
  more: boolean;
  label: string;
  end: string;
  onMore: () => void;
}

function Edge({ more, label, end, onMore }: EdgeProps) {
  return (
    <div className="flex min-h-9 items-center justify-center px-3 text-ink-faint text-xs touch:min-h-11">
      {more ? (
        <Button size="sm" variant="ghost" onClick={onMore}>
          {label}
        </Button>
      ) : (
        end
      )}
    </div>
  );
}
