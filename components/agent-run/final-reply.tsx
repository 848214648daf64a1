"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { CopyButton } from "@/components/ui/copy-button";
import { Panel } from "@/components/ui/panel";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";
import { turnNumber } from "./agent-sentence";

/** What the run has come to so far, before all that led to it. */
export function FinalReply({ run }: { run: AgentRunDetail }) {
  const { t } = useI18n();
  const turn = run.commands.findLast(({ replyId }) => replyId !== null);
  return (
    <Panel
      title={t("agentRun.reply")}
      hint={turn === undefined ? undefined : t("agentRun.replyHint", { number: turnNumber(run, turn) })}
      actions={run.reply !== null && <CopyButton value={run.reply} label={t("agentRun.copyReply")} />}
      flush
    >
      {run.reply === null ? (
        <p className="p-4 text-ink-soft">{t("agentRun.noReply")}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard.
        <section tabIndex={0} aria-label={t("agentRun.replyText")} className="max-h-80 overflow-y-auto p-4 -outline-offset-2">
          <p className="whitespace-pre-wrap break-words">{run.reply}</p>
        </section>
      )}
    </Panel>
  );
}
