"use client";

import { Play, Send } from "lucide-react";
import { type KeyboardEvent, useRef, useState, useSyncExternalStore } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { Button, ButtonLink } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/input";
import { LONGEST_AGENT_PROMPT } from "@/server/config/execution-policy.rules";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";
import { waitingTurns } from "./agent-sentence";
import { loadPrompt, savePrompt } from "./prompt-draft";
import { useAgentCommand } from "./use-agent-command";

const nothingToWatch = () => () => undefined;

/** Orders the next turn; where none is possible it says why and leads to a new run. */
export function Composer({ run }: { run: AgentRunDetail }) {
  const { t } = useI18n();
  // The draft stands in the browser's storage; the place is kept until then.
  const isInBrowser = useSyncExternalStore(
    nothingToWatch,
    () => true,
    () => false,
  );
  return (
    <section aria-label={t("agentRun.composer")} className="rounded-lg border border-line bg-surface p-4 shadow-panel">
      {run.status === "cancelled" || run.status === "blocked" ? (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 basis-60 text-ink-soft">{t(`agentRun.composer.${run.status}`)}</p>
          <ButtonLink href={paths.newAgentRun()} size="sm">
            {t("agentRun.composer.newRun")}
          </ButtonLink>
        </div>
      ) : isInBrowser ? (
        <ComposerForm key={run.id} run={run} />
      ) : (
        <div className="h-36" />
      )}
    </section>
  );
}

const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform);

function ComposerForm({ run }: { run: AgentRunDetail }) {
  const { t, formatNumber } = useI18n();
  const [prompt, setPrompt] = useState(() => loadPrompt(sessionStorage, run.id));
  const latest = useRef(prompt);
  const change = (next: string) => {
    latest.current = next;
    setPrompt(next);
    savePrompt(sessionStorage, run.id, next);
  };
  const command = useAgentCommand(run.id);
  // Two presses may come before React draws the pending button; this closes at the first.
  const pressed = useRef(false);
  const order = (text: string, onSent: () => unknown) => {
    if (pressed.current) return;
    pressed.current = true;
    const onSettled = () => {
      pressed.current = false;
    };
    command.mutate({ id: run.id, order: { type: "turn", prompt: text } }, { onSuccess: onSent, onSettled });
  };
  const refusal =
    prompt.trim() === ""
      ? t("agentRun.composer.empty")
      : prompt.length > LONGEST_AGENT_PROMPT
        ? t("agentRun.composer.tooLong", { most: formatNumber(LONGEST_AGENT_PROMPT) })
        : null;
  const send = () => {
    if (refusal !== null) return;
    // Whoever typed on while it was sent is at the next one.
    order(prompt, () => latest.current === prompt && change(""));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const isUnderWay = run.status === "queued" || run.status === "running";
  const waiting = waitingTurns(run);
  const continueText = t("agentRun.composer.continueText");
  return (
    <div className="space-y-2">
      <Field
        label={t("agentRun.composer.label")}
        hint={t(isMac() ? "agentRun.composer.hintMac" : "agentRun.composer.hint")}
        error={prompt.length > LONGEST_AGENT_PROMPT ? refusal : null}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            className="max-h-80 field-sizing-content min-h-20 resize-y"
            placeholder={t("agentRun.composer.placeholder")}
            value={prompt}
            onChange={(event) => change(event.target.value)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="primary"
          icon={<Send aria-hidden className="size-4" />}
          pending={command.isPending}
          disabledReason={refusal}
          onClick={send}
        >
          {t("agentRun.composer.send")}
        </Button>
        {(run.status === "failed" || run.status === "paused") && (
          <Button
            icon={<Play aria-hidden className="size-4" />}
            title={t("agentRun.composer.continueHint", { text: continueText })}
            disabledReason={command.isPending ? t("agentRun.composer.queued") : null}
            onClick={() => order(continueText, () => {})}
          >
            {t("agentRun.composer.continue")}
          </Button>
        )}
        {isUnderWay && <p className="text-ink-soft text-xs">{t("agentRun.composer.queues")}</p>}
        {waiting > 0 && (
          <p className="tone-waiting ml-auto text-tone text-xs tabular-nums">
            {t("agentRun.composer.waits", { count: waiting })}
          </p>
        )}
      </div>
    </div>
  );
}
