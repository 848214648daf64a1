import { Ban, Check, Clock, type LucideIcon, Unplug, X } from "lucide-react";
import type { MessageKey } from "@/components/i18n/messages";
import { PATTERN_CLASS, TONE_CLASS } from "@/components/ui/tone";
import type { AttemptStatus } from "@/server/runs/run-state.schema";
import type { SpanKind } from "./spans";

/** How a stretch of a row looks: height and pattern first, colour second. The legend is made from this very table. */
export const SPAN_STYLE = {
  waiting: { word: "timeline.kind.waiting", className: `${TONE_CLASS.waiting} ${PATTERN_CLASS.hollow} h-1.5` },
  backoff: { word: "timeline.kind.backoff", className: `${TONE_CLASS.retry} ${PATTERN_CLASS.dotted} h-1.5` },
  sending: { word: "timeline.kind.sending", className: "bg-tone-soft border border-tone-mark h-3" },
  generating: { word: "timeline.kind.generating", className: "bg-tone-mark h-3.5" },
} as const satisfies Record<SpanKind, { word: MessageKey; className: string }>;

/** The end of an attempt: its icon stands where the bar ends. */
export const CAP_STYLE = {
  running: { word: "timeline.kind.generating", icon: Clock, tone: "active" },
  succeeded: { word: "timeline.cap.succeeded", icon: Check, tone: "success" },
  failed: { word: "timeline.cap.failed", icon: X, tone: "danger" },
  cancelled: { word: "timeline.cap.cancelled", icon: Ban, tone: "cancelled" },
  abandoned: { word: "timeline.cap.abandoned", icon: Unplug, tone: "neutral" },
} as const satisfies Record<AttemptStatus, { word: MessageKey; icon: LucideIcon; tone: keyof typeof TONE_CLASS }>;
