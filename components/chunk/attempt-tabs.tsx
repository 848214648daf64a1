"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { ATTEMPT_STATUS_STYLE } from "@/components/status/status-table";
import { classNames } from "@/components/ui/class-names";
import type { AttemptSummary } from "@/server/runs/run.schema";

interface AttemptTabsProps {
  attempts: readonly AttemptSummary[];
  accepted: number | null;
  shown: number;
  onShow: (number: number) => void;
}

/** One tab a real request; the arrow keys move between them. */
export function AttemptTabs({ attempts, accepted, shown, onShow }: AttemptTabsProps) {
  const { t } = useI18n();
  const move = (step: number) => {
    const at = attempts.findIndex((attempt) => attempt.number === shown);
    const target = attempts[Math.min(Math.max(at + step, 0), attempts.length - 1)];
    if (target === undefined) return;
    onShow(target.number);
    document.getElementById(`attempt-tab-${target.number}`)?.focus();
  };
  return (
    <div role="tablist" aria-label={t("chunk.attempts")} className="flex gap-1 overflow-x-auto border-line border-b">
      {attempts.map((attempt) => {
        const { icon: Icon, tone, word } = ATTEMPT_STATUS_STYLE[attempt.status];
        const current = attempt.number === shown;
        return (
          <button
            key={attempt.number}
            id={`attempt-tab-${attempt.number}`}
            type="button"
            role="tab"
            aria-selected={current}
            aria-controls="attempt-panel"
            tabIndex={current ? 0 : -1}
            onClick={() => onShow(attempt.number)}
            onKeyDown={(event) => {
              if (event.key === "ArrowRight") move(1);
              if (event.key === "ArrowLeft") move(-1);
            }}
            className={classNames(
              "inline-flex h-10 items-center gap-1.5 whitespace-nowrap border-b-2 px-3 font-medium -outline-offset-2 touch:h-11",
              current ? "border-accent text-ink" : "border-transparent text-ink-soft hover:border-line hover:text-ink",
            )}
          >
            <Icon aria-hidden className={`tone-${tone} size-3.5 text-tone`} />
            {t("chunk.attempt", { number: attempt.number })}
            {attempt.repairOf !== null && <span className="text-ink-faint text-xs">{t("answer.repairRound")} ·</span>}
            {attempt.origin === "import" && <span className="text-ink-faint text-xs">{t("chunk.adopted")} ·</span>}
            <span className="text-ink-faint text-xs">{attempt.number === accepted ? t("chunk.accepted") : t(word)}</span>
          </button>
        );
      })}
    </div>
  );
}
