"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { CAP_STYLE, SPAN_STYLE, spanClass } from "./bar-style";
import { EndCap } from "./end-cap";
import { SPAN_KINDS } from "./spans";

const ENDS = ["succeeded", "failed", "cancelled", "abandoned"] as const;

/** Made from the tables that draw the bars, so it cannot say anything else than they show. */
export function TimelineLegend() {
  const { t } = useI18n();
  return (
    <div className="space-y-1 text-xs">
      <ul aria-label={t("timeline.legend")} className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-soft">
        {SPAN_KINDS.map((kind) => (
          <li key={kind} className="flex items-center gap-1.5">
            <span aria-hidden className={`inline-block w-6 rounded-[2px] ${spanClass(kind, null)}`} />
            {t(SPAN_STYLE[kind].word)}
          </li>
        ))}
        {ENDS.map((end) => (
          <li key={end} className="flex items-center gap-1.5">
            <EndCap outcome={end} />
            {t(CAP_STYLE[end].word)}
          </li>
        ))}
      </ul>
      <p className="text-ink-faint touch:hidden">{t("timeline.keys")}</p>
    </div>
  );
}
