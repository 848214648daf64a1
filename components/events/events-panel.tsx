"use client";

import { parseAsArrayOf, parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import { copyText } from "@/components/ui/copy-text";
import { ErrorState } from "@/components/ui/error-state";
import { PoliteStatus } from "@/components/ui/polite-status";
import { EVENT_TYPES } from "@/server/events/event.rules";
import { EventFilters } from "./event-filters";
import { EventList } from "./event-list";
import { useEventWindow } from "./use-event-window";

/** `seq`: the event that the address leads to; without it the newest are shown. */
const PARSERS = {
  type: parseAsArrayOf(parseAsStringLiteral(EVENT_TYPES)).withDefault([]),
  chunk: parseAsInteger,
  seq: parseAsInteger,
};

/** The trace of a run: a window that moves both ways, filtered in the address, live until it is paused. */
export function EventsPanel({ runId }: { runId: string }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const [filter, setFilter] = useQueryStates(PARSERS, { history: "replace" });
  const [isPaused, setPaused] = useState(false);
  const follow = !isPaused && filter.seq === null;
  const events = useEventWindow(runId, { types: filter.type, chunk: filter.chunk }, { follow, start: filter.seq });
  const isFiltered = filter.type.length > 0 || filter.chunk !== null;

  const jump = (seq: number) => {
    if (filter.seq === seq) events.jump(seq);
    void setFilter({ seq });
  };
  const goToLatest = () => {
    if (filter.seq === null) events.latest();
    void setFilter({ seq: null });
  };
  const followAgain = () => {
    setPaused(false);
    goToLatest();
  };
  const copy = () => {
    void copyText(events.items.map((event) => JSON.stringify(event)).join("\n")).then((done) => {
      if (done) toast.success(t("events.copied", { count: events.items.length }));
      else toast.error(t("events.copyRefused"));
    });
  };
  const problem = events.error === null ? null : errorText(events.error);
  const unseen = t("events.new", { count: events.unseen });
  return (
    <div className="space-y-3">
      <EventFilters
        runId={runId}
        types={filter.type}
        chunk={filter.chunk}
        onFilter={(next) => void setFilter(next)}
        onJump={jump}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" onClick={() => jump(1)}>
          {t("events.first")}
        </Button>
        <Button size="sm" onClick={goToLatest}>
          {t("events.last")}
        </Button>
        <Button size="sm" onClick={follow ? () => setPaused(true) : followAgain}>
          {t(follow ? "events.pause" : "events.resume")}
        </Button>
        {events.unseen > 0 && (
          <button
            type="button"
            onClick={followAgain}
            className="tone-active h-7 rounded-full bg-tone-soft px-3 font-medium text-tone text-xs tabular-nums touch:h-9"
          >
            {unseen}
          </button>
        )}
        <PoliteStatus text={events.unseen > 0 ? unseen : ""} />
        <Button size="sm" className="ml-auto" onClick={copy} disabledReason={events.items.length === 0 ? t("events.none") : null}>
          {t("events.copy")}
        </Button>
      </div>
      {problem !== null && (
        <ErrorState
          title={t("events.loadFailed")}
          message={`${problem.title} ${problem.detail}`}
          onRetry={events.retry}
          retrying={events.loading}
        />
      )}
      {(problem === null || events.items.length > 0) && (
        <EventList
          runId={runId}
          events={events}
          follow={follow}
          marked={filter.seq}
          isFiltered={isFiltered}
          onClear={() => void setFilter({ type: null, chunk: null })}
        />
      )}
    </div>
  );
}
