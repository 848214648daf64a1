import type { Translate } from "@/components/i18n/i18n-provider";
import { actionRefusal, type Counts, type RunAction, type RunStatus } from "@/server/runs/run-state.rules";
import { RUN_STATUS_STYLE } from "./status-table";

/** Why `action` is not possible on the run now, as a sentence for `disabledReason`; null when it is. */
export function refusalSentence(t: Translate, action: RunAction, run: { status: RunStatus; counts: Counts }): string | null {
  const refusal = actionRefusal(action, run);
  return refusal === null ? null : t(`refusal.${refusal}`, { status: t(RUN_STATUS_STYLE[run.status].word) });
}
