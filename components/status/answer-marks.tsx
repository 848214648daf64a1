"use client";

import { Scissors, Undo2, Wrench } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Badge } from "@/components/ui/badge";
import type { Tone } from "@/components/ui/tone";
import type { AnswerMark } from "@/server/runs/run.rules";

/** Sign and colour of what normalization found of an answer. */
export const ANSWER_MARK_STYLE = {
  repaired: { icon: Wrench, tone: "warning" },
  truncated: { icon: Scissors, tone: "danger" },
} as const satisfies Record<AnswerMark, { icon: typeof Wrench; tone: Tone }>;

interface AnswerMarksProps {
  answer: { repaired: boolean; truncated: boolean; repairOf?: number | null };
}

/** Badges of an answer that is not as the model should have given it; nothing for the others. */
export function AnswerMarks({ answer }: AnswerMarksProps) {
  const { t } = useI18n();
  const { repairOf = null } = answer;
  return (
    <>
      {repairOf !== null && (
        <Badge icon={<Undo2 aria-hidden className="size-3" />} title={t("answer.repairRoundTitle", { number: repairOf })}>
          {t("answer.repairRound")}
        </Badge>
      )}
      {(["repaired", "truncated"] as const).map((mark) => {
        const { icon: Icon, tone } = ANSWER_MARK_STYLE[mark];
        return (
          answer[mark] && (
            <Badge key={mark} tone={tone} icon={<Icon aria-hidden className="size-3" />} title={t(`answer.${mark}Title`)}>
              {t(`answer.${mark}`)}
            </Badge>
          )
        );
      })}
    </>
  );
}
