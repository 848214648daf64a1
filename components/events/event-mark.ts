import {
  Check,
  CircleHelp,
  Hourglass,
  type LucideIcon,
  PackageCheck,
  RotateCw,
  Send,
  Signpost,
  TriangleAlert,
  X,
} from "lucide-react";
import type { Tone } from "@/components/ui/tone";
import type { EventType } from "@/server/events/event.rules";

export interface EventMark {
  icon: LucideIcon;
  tone: Tone;
}

/** Events that one looks for in a long list: how something went, and where a request was sent. The others have no mark. */
export const EVENT_MARKS: Partial<Record<EventType, EventMark>> = {
  error: { icon: X, tone: "danger" },
  inference_failed: { icon: X, tone: "danger" },
  inference_timeout: { icon: X, tone: "danger" },
  chunk_failed: { icon: X, tone: "danger" },
  run_failed: { icon: X, tone: "danger" },
  run_incomplete: { icon: TriangleAlert, tone: "warning" },
  chunk_retry_scheduled: { icon: RotateCw, tone: "retry" },
  chunk_requeued: { icon: RotateCw, tone: "retry" },
  answer_chosen: { icon: Check, tone: "success" },
  chunk_succeeded: { icon: Check, tone: "success" },
  run_completed: { icon: Check, tone: "success" },
  route_decided: { icon: Signpost, tone: "active" },
  cooldown_started: { icon: Hourglass, tone: "retry" },
  cooldown_ended: { icon: Check, tone: "success" },
  batch_submitted: { icon: Send, tone: "active" },
  batch_collected: { icon: PackageCheck, tone: "success" },
  approval_requested: { icon: CircleHelp, tone: "warning" },
  approval_resolved: { icon: Check, tone: "success" },
};
