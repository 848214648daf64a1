"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { TONE_CLASS } from "@/components/ui/tone";
import { CAPABILITIES, type Capability } from "@/server/backends/capability.rules";
import type { BackendProvider } from "@/server/runs/backend-view.schema";
import { verdictOf } from "./evidence";
import { checkedMark, declaredMark, type Mark, seenMark, VERDICT_MARKS } from "./evidence-marks";

/** The evidence in a line: for each capability whether it is declared, was found by a check, was seen in a run. */
export function EvidenceStrip({ provider }: { provider: BackendProvider }) {
  const { t } = useI18n();
  return (
    <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-xs">
      <span aria-hidden className="text-ink-faint">
        {t("backends.strip.legend")}
      </span>
      <ul aria-label={t("backends.evidenceOf", { provider: provider.name })} className="flex flex-wrap gap-x-5 gap-y-1">
        {CAPABILITIES.map((capability) => (
          <StripItem key={capability} capability={capability} provider={provider} />
        ))}
      </ul>
    </div>
  );
}

function StripItem({ capability, provider }: { capability: Capability; provider: BackendProvider }) {
  const { t, formatTime } = useI18n();
  const evidence = provider.evidence[capability];
  const { declared, checked, lastSeen } = evidence;
  const verdict = verdictOf(capability, evidence);
  const { icon: Icon, tone, word } = VERDICT_MARKS[verdict];
  const at = (time: string | undefined) => (time === undefined ? "" : ` · ${formatTime(time)}`);
  return (
    <li
      className={`inline-flex items-center gap-1.5 ${verdict === "mismatch" ? `text-tone ${TONE_CLASS[tone]}` : "text-ink-soft"}`}
    >
      {verdict === "mismatch" && <Icon aria-label={t(word)} className="size-3.5 shrink-0" />}
      <span>{t(`backends.capability.${capability}`)}</span>
      <StripMark of={t("backends.evidence.declared")} mark={declaredMark(declared)} at="" />
      <StripMark of={t("backends.evidence.probed")} mark={checkedMark(checked)} at={at(checked?.at)} />
      <StripMark of={t("backends.evidence.observed")} mark={seenMark(lastSeen)} at={at(lastSeen?.at)} />
    </li>
  );
}

function StripMark({ of, mark: { icon: Icon, word }, at }: { of: string; mark: Mark; at: string }) {
  const { t } = useI18n();
  return (
    <span title={`${of}: ${t(word)}${at}`}>
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">
        {of}: {t(word)}
      </span>
    </span>
  );
}
