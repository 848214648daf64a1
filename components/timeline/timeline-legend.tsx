"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { CAP_STYLE, SPAN_STYLE } from "./bar-style";
import { SPAN_KINDS } from "./spans";

const ENDS = ["succeeded", "failed", "cancelled", "abandoned"] as const;

/** Made from the tables that draw the bars, so it cannot say anything else than they show. */
export function TimelineLegend() {
  const { t } = useI18n();
  return (
    <ul aria-label={t("timeline.legend")} className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-soft text-xs">
      {SPAN_KINDS.map((kind) => (
        <li key={kind} className="flex items-center gap-1.5">
          <span aria-hidden className={`tone-active inline-block w-6 rounded-[2px] ${SPAN_STYLE[kind].className}`} />
          {t(SPAN_STYLE[kind].word)}
        </li>
      ))}
      {ENDS.map((end) => {
        const { icon: Icon, tone, word } = CAP_STYLE[end];
        return (
          <li key={end} className="flex items-center gap-1">
            <Icon aria-hidden className={`tone-${tone} size-3.5 text-tone`} />
            {t(word)}
          </li>
        );
      })}
      <li className="text-ink-faint">{t("timeline.keys")}</li>
    </ul>
  );
}
