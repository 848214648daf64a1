"use client";

import { useEffect, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import type { AgentRunDetail, ApprovalView } from "@/server/runs/agent-run.schema";
import { shownCommand } from "./command-text";
import { QuestionCard } from "./question-card";

/** Characters of a question that are read aloud. */
const LONGEST_SPOKEN = 160;

/** Questions of the agent that wait, the oldest first. They are announced at once and take the focus from nobody. */
export function QuestionCards({ run }: { run: AgentRunDetail }) {
  const { t, formatDuration } = useI18n();
  const open = run.approvals.filter(({ status }) => status === "pending").reverse();
  const [known, setKnown] = useState<ReadonlySet<string>>(() => new Set(open.map(({ id }) => id)));
  const ids = open.map(({ id }) => id).join(" ");
  useEffect(() => {
    if (ids !== "") setKnown((before) => new Set([...before, ...ids.split(" ")]));
  }, [ids]);
  const spoken = ({ kind, subject, askedAt, deadlineAt }: ApprovalView) =>
    t("agentRun.question.announce", {
      question: t(`agentRun.question.${kind}`),
      subject: shownCommand(subject).slice(0, LONGEST_SPOKEN),
      duration: formatDuration(Date.parse(deadlineAt) - Date.parse(askedAt)),
    });
  return (
    <>
      {/* Always there: a region that comes with its text is not announced everywhere. */}
      <div aria-live="assertive" className="sr-only">
        {open.map((approval) => (
          <p key={approval.id}>{spoken(approval)}</p>
        ))}
      </div>
      {open.length > 0 && (
        <section aria-label={t("agentRun.questions")} className="space-y-3">
          {open.map((approval) => (
            <QuestionCard
              key={approval.id}
              runId={run.id}
              approval={approval}
              isNext={known.size > 0 && !known.has(approval.id)}
            />
          ))}
        </section>
      )}
    </>
  );
}
