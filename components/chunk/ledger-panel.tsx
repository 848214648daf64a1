"use client";

import { Check, Pencil, X } from "lucide-react";
import { type I18n, useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { Panel } from "@/components/ui/panel";
import { TONE_CLASS, type Tone } from "@/components/ui/tone";
import { type LedgerLine, ledgerOf, valueWordOf } from "./ledger";

const OUTCOME_STYLE = {
  passed: { icon: Check, tone: "success" },
  changed: { icon: Pencil, tone: "warning" },
  failed: { icon: X, tone: "danger" },
} as const satisfies Record<LedgerLine["outcome"], { icon: typeof Check; tone: Tone }>;

/** How the model's text became the output, step by step, or where it went no further. */
export function LedgerPanel({ resultBody }: { resultBody: string }) {
  const { t } = useI18n();
  const ledger = ledgerOf(resultBody);
  if (ledger === null) return null;
  return (
    <Panel title={t("ledger.title")} hint={t("ledger.hint")}>
      <ol aria-label={t("ledger.title")} className="space-y-1.5">
        {ledger.lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a result never move.
          <LedgerLineView key={at} line={line} />
        ))}
      </ol>
      {ledger.errors.length > 1 && (
        <ul
          aria-label={t("ledger.errors")}
          className="mt-3 list-disc space-y-1 border-line border-t pt-3 pl-5 text-ink-soft text-xs"
        >
          {ledger.errors.map((error) => (
            <li key={error} className="break-words">
              {serverSentence(t, error)}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type Detail = LedgerLine["detail"][number];

function inWords({ t, formatNumber }: I18n, word: Detail["word"], name: string, given: Detail["value"]): string {
  const known = valueWordOf(word, given);
  const value = known !== null ? t(`ledger.value.${known}`) : typeof given === "number" ? formatNumber(given) : given;
  return word === null ? `${name} ${value}` : t(`ledger.detail.${word}`, { value });
}

function LedgerLineView({ line }: { line: LedgerLine }) {
  const i18n = useI18n();
  const { t } = i18n;
  const { icon: Icon, tone } = OUTCOME_STYLE[line.outcome];
  return (
    <li className={`flex items-baseline gap-2 ${TONE_CLASS[tone]}`}>
      <Icon role="img" aria-label={t(`ledger.outcome.${line.outcome}`)} className="size-3.5 shrink-0 self-center text-tone" />
      <span className="font-medium">{line.step === null ? line.name : t(`ledger.step.${line.step}`)}</span>
      {line.detail.length > 0 && (
        <span className="min-w-0 break-words text-ink-faint text-xs">
          {line.detail.map(({ word, name, value }) => inWords(i18n, word, name, value)).join(" · ")}
        </span>
      )}
    </li>
  );
}
