"use client";

import { ChevronLeft, ChevronRight, Maximize2, ScanLine, ZoomIn, ZoomOut } from "lucide-react";
import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button, IconButton } from "@/components/ui/button";
import type { TimelineView } from "./use-timeline-view";
import { PAN_STEP, ZOOM_STEP } from "./view";

export interface IdleOffer {
  /** Part of the run's time in which nothing ran, 0..1, and how long that was. */
  share: number;
  lengthMs: number;
}

export interface TimelineToggles {
  errors: boolean;
  waiting: boolean;
  compress: boolean;
}

interface TimelineToolbarProps {
  view: TimelineView;
  isResting: boolean;
  toggles: TimelineToggles;
  onToggle: (toggles: Partial<TimelineToggles>) => void;
  onFit: () => void;
  /** Null: there is too little idle time to speak of. */
  idle: IdleOffer | null;
  /** How much is shown or loaded. */
  children: ReactNode;
}

const ICON = "size-4";
const TOGGLE = "aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent";

export function TimelineToolbar({ view, isResting, toggles, onToggle, onFit, idle, children }: TimelineToolbarProps) {
  const { t, formatDuration, formatPercent } = useI18n();
  const { errors, waiting, compress } = toggles;
  const steps = [
    { word: "timeline.zoomIn", icon: ZoomIn, act: () => view.zoom(ZOOM_STEP) },
    { word: "timeline.zoomOut", icon: ZoomOut, act: () => view.zoom(1 / ZOOM_STEP) },
    { word: "timeline.panLeft", icon: ChevronLeft, act: () => view.pan(-PAN_STEP) },
    { word: "timeline.panRight", icon: ChevronRight, act: () => view.pan(PAN_STEP) },
    { word: "timeline.fit", icon: ScanLine, act: onFit },
    { word: "timeline.whole", icon: Maximize2, act: view.whole },
  ] as const;
  return (
    <div role="toolbar" aria-label={t("timeline.toolbar")} className="flex flex-wrap items-center gap-2">
      {steps.map(({ word, icon: Icon, act }) => (
        <IconButton
          key={word}
          size="sm"
          variant="secondary"
          label={t(word)}
          icon={<Icon aria-hidden className={ICON} />}
          onClick={act}
        />
      ))}
      <Button
        size="sm"
        className={TOGGLE}
        aria-pressed={view.following}
        disabledReason={isResting ? t("timeline.followOff") : null}
        onClick={view.toggleFollowing}
      >
        {t("timeline.follow")}
      </Button>
      <Button size="sm" className={TOGGLE} aria-pressed={errors} onClick={() => onToggle({ errors: !errors })}>
        {t("timeline.errorsOnly")}
      </Button>
      <Button size="sm" className={TOGGLE} aria-pressed={waiting} onClick={() => onToggle({ waiting: !waiting })}>
        {t("timeline.showWaiting")}
      </Button>
      {idle !== null && (
        <Button size="sm" className={TOGGLE} aria-pressed={compress} onClick={() => onToggle({ compress: !compress })}>
          {t("timeline.idle", { duration: formatDuration(idle.lengthMs), percent: formatPercent(idle.share) })} ·{" "}
          {t("timeline.compress")}
        </Button>
      )}
      <span className="ml-auto text-ink-faint text-xs tabular-nums">{children}</span>
    </div>
  );
}
