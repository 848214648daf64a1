"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, CircleHelp, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { toast } from "sonner";
import { rememberAuthor, rememberedAuthor } from "@/components/author";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { ApprovalView } from "@/server/runs/agent-run.schema";
import { shownCommand } from "./command-text";

const COUNTDOWN_MS = 1_000;
const LONGEST_NAME = 100;
/** Whoever aims at the answer of a question must not hit the next one, which comes to the same place. */
const AIM_MS = 1_200;

interface QuestionCardProps {
  runId: string;
  approval: ApprovalView;
  /** It comes where another question stood a moment ago. */
  isNext: boolean;
}

/** One question that the policy leaves to a person: what is asked, why, how long it waits, and the two answers. */
export function QuestionCard({ runId, approval, isNext }: QuestionCardProps) {
  const { t } = useI18n();
  const titleId = useId();
  const [by, setBy] = useState(rememberedAuthor);
  const { decide, decision } = useDecision(runId, approval.id);
  const isAimed = useAim(isNext);
  const tooSoon = isAimed ? null : t("agentRun.question.next");
  const { kind, subject, cwd, reason } = approval;
  const answer = (next: "accept" | "decline") => {
    if (by.trim() !== "") rememberAuthor(by.trim());
    decide(next, by.trim());
  };
  return (
    <article
      aria-labelledby={titleId}
      className="tone-warning space-y-3 rounded-lg border-2 border-tone-mark bg-tone-soft p-4 shadow-panel"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CircleHelp aria-hidden className="size-5 shrink-0 text-tone" />
        <h2 id={titleId} className="font-semibold text-base text-ink">
          {t(`agentRun.question.${kind}`)}
        </h2>
        <Countdown deadlineAt={approval.deadlineAt} />
      </header>
      {subject === "" ? (
        <p className="text-ink-soft">{t("agentRun.question.noFiles")}</p>
      ) : (
        <CodeBlock text={shownCommand(subject)} label={t(`agentRun.question.${kind}.text`)} />
      )}
      {kind === "command" && <p className="font-medium text-ink text-xs">{t("agentRun.question.reach")}</p>}
      {kind === "file-change" && <p className="text-ink-soft text-xs">{t("agentRun.question.patchBelow")}</p>}
      <dl className="space-y-1 text-ink-soft text-xs">
        {cwd !== null && (
          <div className="flex flex-wrap gap-x-1.5">
            <dt>{t("agentRun.question.cwd")}</dt>
            <dd className="break-all font-mono">{cwd}</dd>
          </div>
        )}
        {reason !== null && (
          <div className="flex flex-wrap gap-x-1.5">
            <dt>{t("agentRun.question.reason")}</dt>
            <dd>
              <q>{reason}</q>
            </dd>
          </div>
        )}
      </dl>
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
        <Field label={t("agentRun.question.by")} className="w-56">
          {(control) => (
            <Input
              {...control}
              autoComplete="name"
              maxLength={LONGEST_NAME}
              placeholder={t("agentRun.question.byHint")}
              value={by}
              onChange={(event) => setBy(event.target.value)}
            />
          )}
        </Field>
        <div className="flex gap-2">
          <Button
            variant="primary"
            icon={<Check aria-hidden className="size-4" />}
            pending={decision === "accept"}
            disabledReason={decision === "decline" ? t("agentRun.question.declined") : tooSoon}
            onClick={() => answer("accept")}
          >
            {t("agentRun.question.accept")}
          </Button>
          <Button
            icon={<X aria-hidden className="size-4" />}
            pending={decision === "decline"}
            disabledReason={decision === "accept" ? t("agentRun.question.accepted") : tooSoon}
            onClick={() => answer("decline")}
          >
            {t("agentRun.question.decline")}
          </Button>
        </div>
      </div>
    </article>
  );
}

/** False for the first moment of a question that took the place of another. */
function useAim(isNext: boolean): boolean {
  const [isAimed, setAimed] = useState(!isNext);
  useEffect(() => {
    if (isAimed) return;
    const timer = setTimeout(() => setAimed(true), AIM_MS);
    return () => clearTimeout(timer);
  }, [isAimed]);
  return isAimed;
}

/** Seen only: a clock that is read aloud every second would hide all else. */
function Countdown({ deadlineAt }: Pick<ApprovalView, "deadlineAt">) {
  const { t, formatDuration, formatTime } = useI18n();
  const now = useNow(COUNTDOWN_MS);
  if (now === null) return null;
  const left = Date.parse(deadlineAt) - now;
  return (
    <time dateTime={deadlineAt} title={formatTime(deadlineAt)} className="font-medium text-tone text-xs tabular-nums">
      {left <= 0 ? t("agentRun.question.over") : t("agentRun.question.deadline", { duration: formatDuration(left) })}
    </time>
  );
}

/** Sends one answer, once; a question that was closed meanwhile says so and goes away. */
function useDecision(runId: string, approvalId: string) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  // Two presses may come before React draws the pending button; this closes at the first.
  const pressed = useRef(false);
  const mutation = useMutation(
    api.agents.decide.mutationOptions({
      onSuccess: ({ status }) =>
        toast.success(t(status === "accepted" ? "agentRun.question.accepted" : "agentRun.question.declined")),
      onError: (error) => {
        pressed.current = false;
        const { title, detail } = errorText(error);
        toast.error(t("agentRun.question.failed"), { description: `${title} ${detail}`.trim() });
      },
      onSettled: () => queryClient.invalidateQueries(api.agents.get.queryFilter({ id: runId })),
    }),
  );
  return {
    decide: (decision: "accept" | "decline", by: string) => {
      if (pressed.current) return;
      pressed.current = true;
      mutation.mutate({ id: runId, approvalId, decision, ...(by === "" ? {} : { by }) });
    },
    /** What was sent and not refused; it stays until the card is gone. */
    decision: mutation.isPending || mutation.isSuccess ? (mutation.variables?.decision ?? null) : null,
  };
}
