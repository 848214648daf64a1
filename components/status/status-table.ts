import {
  Ban,
  Check,
  CircleDashed,
  CircleQuestionMark,
  CircleSlash,
  Hourglass,
  KeyRound,
  type LucideIcon,
  OctagonAlert,
  Pause,
  Play,
  RotateCw,
  TriangleAlert,
  Unlink,
  Unplug,
  X,
} from "lucide-react";
import type { MessageKey } from "@/components/i18n/messages";
import type { Pattern, Tone } from "@/components/ui/tone";
import type { BackendRow } from "@/server/runs/backend-view.schema";
import type { ModelAvailability } from "@/server/runs/model-availability.schema";
import type { AttemptStatus, ChunkStatus, RunStatus } from "@/server/runs/run-state.rules";

/** How a state looks everywhere: word, icon and pattern first, colour second. */
export interface StatusStyle {
  word: MessageKey;
  icon: LucideIcon;
  tone: Tone;
  pattern: Pattern;
  /** Moves, where motion is allowed. */
  moving: boolean;
}

export const RUN_STATUS_STYLE = {
  queued: { word: "status.run.queued", icon: CircleDashed, tone: "neutral", pattern: "hollow", moving: false },
  running: { word: "status.run.running", icon: Play, tone: "active", pattern: "striped", moving: true },
  paused: { word: "status.run.paused", icon: Pause, tone: "waiting", pattern: "outlined", moving: false },
  incomplete: { word: "status.run.incomplete", icon: TriangleAlert, tone: "warning", pattern: "dotted", moving: false },
  completed: { word: "status.run.completed", icon: Check, tone: "success", pattern: "solid", moving: false },
  failed: { word: "status.run.failed", icon: X, tone: "danger", pattern: "hatched", moving: false },
  cancelled: { word: "status.run.cancelled", icon: Ban, tone: "cancelled", pattern: "outlined", moving: false },
  blocked: { word: "status.run.blocked", icon: OctagonAlert, tone: "danger", pattern: "outlined", moving: false },
} as const satisfies Record<RunStatus, StatusStyle>;

export const CHUNK_STATUS_STYLE = {
  queued: { word: "status.chunk.queued", icon: CircleDashed, tone: "neutral", pattern: "hollow", moving: false },
  running: { word: "status.chunk.running", icon: Play, tone: "active", pattern: "striped", moving: true },
  succeeded: { word: "status.chunk.succeeded", icon: Check, tone: "success", pattern: "solid", moving: false },
  failed: { word: "status.chunk.failed", icon: X, tone: "danger", pattern: "hatched", moving: false },
  cancelled: { word: "status.chunk.cancelled", icon: Ban, tone: "cancelled", pattern: "outlined", moving: false },
} as const satisfies Record<ChunkStatus, StatusStyle>;

export const ATTEMPT_STATUS_STYLE = {
  running: { word: "status.attempt.running", icon: Play, tone: "active", pattern: "striped", moving: true },
  succeeded: { word: "status.attempt.succeeded", icon: Check, tone: "success", pattern: "solid", moving: false },
  failed: { word: "status.attempt.failed", icon: X, tone: "danger", pattern: "hatched", moving: false },
  cancelled: { word: "status.attempt.cancelled", icon: CircleSlash, tone: "cancelled", pattern: "outlined", moving: false },
  abandoned: { word: "status.attempt.abandoned", icon: Unplug, tone: "neutral", pattern: "dotted", moving: false },
} as const satisfies Record<AttemptStatus, StatusStyle>;

/** Of profiles and providers. What was never checked is grey, never green. */
export const BACKEND_STATUS_STYLE = {
  healthy: { word: "status.backend.healthy", icon: Check, tone: "success", pattern: "solid", moving: false },
  degraded: { word: "status.backend.degraded", icon: TriangleAlert, tone: "warning", pattern: "dotted", moving: false },
  unavailable: { word: "status.backend.unavailable", icon: X, tone: "danger", pattern: "hatched", moving: false },
  unknown: { word: "status.backend.unknown", icon: CircleQuestionMark, tone: "neutral", pattern: "hollow", moving: false },
  secret_missing: { word: "status.backend.secret_missing", icon: KeyRound, tone: "danger", pattern: "outlined", moving: false },
  not_configured: { word: "status.backend.not_configured", icon: Unlink, tone: "neutral", pattern: "outlined", moving: false },
} as const satisfies Record<BackendRow["status"], StatusStyle>;

/** Of a model that may be asked, as a choice would see it now. */
export const AVAILABILITY_STYLE = {
  healthy: BACKEND_STATUS_STYLE.healthy,
  degraded: BACKEND_STATUS_STYLE.degraded,
  unavailable: BACKEND_STATUS_STYLE.unavailable,
  unknown: BACKEND_STATUS_STYLE.unknown,
  cooling: { word: "status.backend.cooling", icon: Hourglass, tone: "retry", pattern: "dotted", moving: false },
} as const satisfies Record<ModelAvailability["state"], StatusStyle>;

/** What a chunk waits for, beside its state. */
export const WAITING_STYLE = {
  slot: { icon: Hourglass, tone: "waiting", pattern: "hollow" },
  backoff: { icon: RotateCw, tone: "retry", pattern: "dotted" },
} as const satisfies Record<string, { icon: LucideIcon; tone: Tone; pattern: Pattern }>;
