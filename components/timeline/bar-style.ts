import { Ban, Check, Clock, type LucideIcon, Unplug, X } from "lucide-react";
import type { MessageKey } from "@/components/i18n/messages";
import { PATTERN_CLASS, TONE_CLASS, type Tone } from "@/components/ui/tone";
import type { AttemptStatus } from "@/server/runs/run-state.rules";
import type { SpanKind } from "./spans";

/**
 * How a stretch of a row looks: height and pattern first, colour second. `tone: null` takes the tone of the attempt's end. The
 * legend is made from this very table.
 */
export const SPAN_STYLE = {
  waiting: { word: "timeline.kind.waiting", tone: "waiting", className: `${PATTERN_CLASS.hollow} h-1.5` },
  backoff: { word: "timeline.kind.backoff", tone: "retry", className: `${PATTERN_CLASS.dotted} h-1.5` },
  sending: { word: "timeline.kind.sending", tone: null, className: "border border-tone-mark bg-tone-soft h-3" },
  generating: { word: "timeline.kind.generating", tone: null, className: `${PATTERN_CLASS.solid} h-3.5` },
} as const satisfies Record<SpanKind, { word: MessageKey; tone: Tone | null; className: string }>;

/** The end of an attempt: its icon stands where the bar ends. */
export const CAP_STYLE = {
  running: { word: "timeline.kind.generating", icon: Clock, tone: "active" },
  succeeded: { word: "timeline.cap.succeeded", icon: Check, tone: "success" },
  failed: { word: "timeline.cap.failed", icon: X, tone: "danger" },
  cancelled: { word: "timeline.cap.cancelled", icon: Ban, tone: "cancelled" },
  abandoned: { word: "timeline.cap.abandoned", icon: Unplug, tone: "neutral" },
} as const satisfies Record<AttemptStatus, { word: MessageKey; icon: LucideIcon; tone: Tone }>;

/** The class of a stretch, with its tone. */
export function spanClass(kind: SpanKind, outcome: AttemptStatus | null): string {
  const { tone, className } = SPAN_STYLE[kind];
  return `${TONE_CLASS[tone ?? CAP_STYLE[outcome ?? "running"].tone]} ${className}`;
}
