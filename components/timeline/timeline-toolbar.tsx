"use client";

import { ChevronLeft, ChevronRight, Maximize2, ZoomIn, ZoomOut } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button, IconButton } from "@/components/ui/button";
import type { TimelineView } from "./use-timeline-view";
import { PAN_STEP, ZOOM_STEP } from "./view";

interface Idle {
  share: number;
  length: number;
  compressed: boolean;
  onCompressed: (compressed: boolean) => void;
}

interface TimelineToolbarProps {
  view: TimelineView;
  resting: boolean;
  errorsOnly: boolean;
  onErrorsOnly: (on: boolean) => void;
  showWaiting: boolean;
  onShowWaiting: (on: boolean) => void;
  idle: Idle | null;
  shown: number;
  total: number;
}

export function TimelineToolbar(props: TimelineToolbarProps) {
  const { view, resting, errorsOnly, onErrorsOnly, showWaiting, onShowWaiting, idle, shown, total } = props;
  const { t, formatNumber, formatDuration, formatPercent } = useI18n();
  const icon = "size-4";
  return (
    <div role="toolbar" aria-label={t("timeline.toolbar")} className="flex flex-wrap items-center gap-2">
      <IconButton
        size="sm"
        variant="secondary"
        label={t("timeline.zoomIn")}
        icon={<ZoomIn aria-hidden className={icon} />}
        onClick={() => view.zoom(ZOOM_STEP)}
      />
      <IconButton
        size="sm"
        variant="secondary"
        label={t("timeline.zoomOut")}
        icon={<ZoomOut aria-hidden className={icon} />}
        onClick={() => view.zoom(1 / ZOOM_STEP)}
      />
      <IconButton
        size="sm"
        variant="secondary"
        label={t("timeline.panLeft")}
        icon={<ChevronLeft aria-hidden className={icon} />}
        onClick={() => view.pan(-PAN_STEP)}
      />
      <IconButton
        size="sm"
        variant="secondary"
        label={t("timeline.panRight")}
        icon={<ChevronRight aria-hidden className={icon} />}
        onClick={() => view.pan(PAN_STEP)}
      />
      <IconButton
        size="sm"
        variant="secondary"
        label={t("timeline.whole")}
        icon={<Maximize2 aria-hidden className={icon} />}
        onClick={view.whole}
      />
      <Button
        size="sm"
        aria-pressed={view.following}
        disabledReason={resting ? t("timeline.followOff") : null}
        onClick={() => {
          view.setView(view.view);
          view.setFollowing(!view.following);
        }}
      >
        {t("timeline.follow")}
      </Button>
      <Button size="sm" aria-pressed={errorsOnly} onClick={() => onErrorsOnly(!errorsOnly)}>
        {t("timeline.errorsOnly")}
      </Button>
      <Button size="sm" aria-pressed={showWaiting} onClick={() => onShowWaiting(!showWaiting)}>
        {t("timeline.showWaiting")}
      </Button>
      {idle !== null && (
        <Button size="sm" aria-pressed={idle.compressed} onClick={() => idle.onCompressed(!idle.compressed)}>
          {t("timeline.idle", { duration: formatDuration(idle.length), percent: formatPercent(idle.share) })} ·{" "}
          {t(idle.compressed ? "timeline.uncompress" : "timeline.compress")}
        </Button>
      )}
      <span className="ml-auto text-ink-faint text-xs tabular-nums">
        {t("timeline.shown", { shown: formatNumber(shown), total: formatNumber(total) })}
      </span>
    </div>
  );
}
