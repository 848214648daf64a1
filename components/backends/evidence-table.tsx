"use client";

import { Activity, Check, CircleQuestionMark, EyeOff, Minus, TriangleAlert } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { paths } from "@/components/paths";
import { BACKEND_STATUS_STYLE } from "@/components/status/status-table";
import type { BackendProvider } from "@/server/runs/backend-view.schema";
import { answersVerdict, CAPABILITIES, modelVerdict, otherModel, type Verdict, verdictOf } from "./evidence";

const VERDICTS = {
  agrees: { icon: Check, tone: "tone-success" },
  not_seen: { icon: CircleQuestionMark, tone: "tone-neutral" },
  not_checked: { icon: Activity, tone: "tone-neutral" },
  hidden: { icon: EyeOff, tone: "tone-neutral" },
  mismatch: { icon: TriangleAlert, tone: "tone-warning" },
} as const;

/** What is said of a provider, what its last check answered, and what the last real runs have shown, side by side. */
export function EvidenceTable({ provider }: { provider: BackendProvider }) {
  const { t } = useI18n();
  const { evidence } = provider;
  return (
    <div>
      <h3 className="font-semibold">{t("backends.evidence")}</h3>
      <p className="mb-2 text-ink-faint text-xs">{t("backends.evidenceHint")}</p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard.
        tabIndex={0}
        aria-label={t("backends.evidenceOf", { provider: provider.name })}
        className="overflow-x-auto rounded-md border border-line"
      >
        <table className="w-full min-w-112 table-fixed text-left">
          <thead className="bg-canvas text-ink-faint text-xs">
            <tr>
              {(["what", "declared", "probed", "observed", "verdict"] as const).map((column) => (
                <th key={column} scope="col" className={`px-3 py-1.5 font-normal ${column === "verdict" ? "max-md:hidden" : ""}`}>
                  {t(`backends.evidence.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            <AnswersRow provider={provider} />
            <ModelRow provider={provider} />
            {CAPABILITIES.map((capability) => (
              <EvidenceRow
                key={capability}
                what={t(`backends.capability.${capability}`)}
                declared={<YesNo value={evidence[capability].declared} />}
                probed={null}
                observed={
                  evidence[capability].observed === null ? null : (
                    <>
                      <YesNo value={evidence[capability].observed} />
                      <At value={evidence[capability].observedAt} />
                    </>
                  )
                }
                verdict={verdictOf(capability, evidence[capability])}
              />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** Does it answer at all: what the check said, beside the last real request. */
function AnswersRow({ provider }: { provider: BackendProvider }) {
  const { t } = useI18n();
  const { health, lastSeen } = provider;
  return (
    <EvidenceRow
      what={t("backends.evidence.answers")}
      declared={null}
      probed={
        health === null ? null : (
          <>
            {t(BACKEND_STATUS_STYLE[health.state].word)}
            <At value={health.checkedAt} />
          </>
        )
      }
      observed={
        lastSeen === null ? null : (
          <>
            <Link href={paths.chunk(lastSeen.runId, lastSeen.chunk)} className="rounded-sm underline">
              {lastSeen.ok || lastSeen.failureKind === null
                ? t(lastSeen.ok ? "backends.answered" : "backends.failedOnce")
                : t(`failure.short.${lastSeen.failureKind}`)}
            </Link>
            <At value={lastSeen.at} />
          </>
        )
      }
      verdict={answersVerdict(provider)}
    />
  );
}

function ModelRow({ provider }: { provider: BackendProvider }) {
  const { t, formatList } = useI18n();
  const { models, lastSeen } = provider;
  const other = otherModel(provider);
  return (
    <EvidenceRow
      what={t("backends.evidence.model")}
      declared={models.length === 0 ? null : <code className="break-all font-mono text-xs">{formatList(models)}</code>}
      probed={null}
      observed={
        lastSeen === null ? null : (
          <>
            <code className="break-all font-mono text-xs">
              {other === null ? lastSeen.model : t("backends.servedAs", { model: lastSeen.model, served: other })}
            </code>
            <At value={lastSeen.at} />
          </>
        )
      }
      verdict={modelVerdict(provider)}
    />
  );
}

interface EvidenceRowProps {
  what: string;
  declared: ReactNode;
  /** Null = a check does not ask for it. */
  probed: ReactNode;
  /** Null = never seen. */
  observed: ReactNode;
  verdict: Verdict;
}

function EvidenceRow({ what, declared, probed, observed, verdict }: EvidenceRowProps) {
  const { t } = useI18n();
  const { icon: Icon, tone } = VERDICTS[verdict];
  const none = <span className="text-ink-faint">–</span>;
  const said = (
    <span className={`inline-flex items-start gap-1.5 font-normal text-tone ${tone}`}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t(`backends.verdict.${verdict}`)}
    </span>
  );
  return (
    <tr className="align-top">
      <th scope="row" className="px-3 py-1.5 font-medium">
        {what}
        {/* In sight without scrolling sideways. */}
        <span className="block md:hidden">{said}</span>
      </th>
      <td className="px-3 py-1.5">{declared ?? none}</td>
      <td className="px-3 py-1.5">{probed ?? none}</td>
      <td className="px-3 py-1.5">{observed ?? none}</td>
      <td className="px-3 py-1.5 max-md:hidden">{said}</td>
    </tr>
  );
}

function YesNo({ value }: { value: boolean }) {
  const { t } = useI18n();
  const Icon = value ? Check : Minus;
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden className="size-3.5 text-ink-faint" />
      {t(value ? "backends.yes" : "backends.no")}
    </span>
  );
}

function At({ value }: { value: string | null }) {
  if (value === null) return null;
  return (
    <span className="block text-ink-faint text-xs">
      <RelativeTime value={value} />
    </span>
  );
}
