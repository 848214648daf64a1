import {
  Activity,
  Check,
  CircleDashed,
  CircleQuestionMark,
  EyeOff,
  type LucideIcon,
  Minus,
  TextQuote,
  TriangleAlert,
  X,
} from "lucide-react";
import type { MessageKey } from "@/components/i18n/messages";
import type { Tone } from "@/components/ui/tone";
import type { CheckOutcome } from "@/server/backends/capability.rules";
import type { Evidence } from "@/server/runs/backend-view.schema";
import type { Verdict } from "./evidence";

/** How a finding looks everywhere: icon and word first. */
export interface Mark {
  icon: LucideIcon;
  word: MessageKey;
}

const DECLARED_MARKS = {
  yes: { icon: Check, word: "backends.yes" },
  no: { icon: Minus, word: "backends.no" },
} as const satisfies Record<string, Mark>;

const CHECKED_MARKS = {
  works: { icon: Check, word: "backends.outcome.works" },
  failed: { icon: X, word: "backends.outcome.failed" },
  not_seen: { icon: CircleQuestionMark, word: "backends.outcome.not_seen" },
  not_checked: { icon: Activity, word: "backends.outcome.not_checked" },
} as const satisfies Record<CheckOutcome, Mark>;

const NEVER_CHECKED: Mark = { icon: CircleDashed, word: "backends.neverChecked" };
const NEVER_SEEN: Mark = { icon: CircleDashed, word: "backends.neverSeen" };

const SEEN_MARKS = {
  works: { icon: Check, word: "backends.seen.works" },
  failed: { icon: X, word: "backends.seen.failed" },
} as const satisfies Record<NonNullable<Evidence["lastSeen"]>["outcome"], Mark>;

export const declaredMark = (declared: Evidence["declared"]): Mark => DECLARED_MARKS[declared ? "yes" : "no"];

export const checkedMark = (checked: { outcome: CheckOutcome } | null): Mark =>
  checked === null ? NEVER_CHECKED : CHECKED_MARKS[checked.outcome];

export const seenMark = (lastSeen: Evidence["lastSeen"]): Mark => (lastSeen === null ? NEVER_SEEN : SEEN_MARKS[lastSeen.outcome]);

export const VERDICT_MARKS = {
  agrees: { icon: Check, tone: "success", word: "backends.verdict.agrees" },
  not_seen: { icon: CircleQuestionMark, tone: "neutral", word: "backends.verdict.not_seen" },
  not_checked: { icon: Activity, tone: "neutral", word: "backends.verdict.not_checked" },
  hidden: { icon: EyeOff, tone: "neutral", word: "backends.verdict.hidden" },
  by_prompt: { icon: TextQuote, tone: "neutral", word: "backends.verdict.by_prompt" },
  mismatch: { icon: TriangleAlert, tone: "warning", word: "backends.verdict.mismatch" },
} as const satisfies Record<Verdict, Mark & { tone: Tone }>;
