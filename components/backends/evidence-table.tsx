"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { serverSentence } from "@/components/i18n/server-words";
import { paths } from "@/components/paths";
import { BACKEND_STATUS_STYLE } from "@/components/status/status-table";
import { BreakableName } from "@/components/ui/breakable-name";
import { TONE_CLASS } from "@/components/ui/tone";
import { CAPABILITIES, type Capability } from "@/server/backends/capability.rules";
import type { BackendProvider, BackendRow, Evidence } from "@/server/runs/backend-view.schema";
import { CapabilityCheck } from "./capability-check";
import { CheckedModels } from "./checked-models";
import { answersVerdict, modelVerdict, otherModel, SHOWN_BY_A_CHECK_ONLY, type Verdict, verdictOf } from "./evidence";
import { checkedMark, declaredMark, type Mark, seenMark, VERDICT_MARKS } from "./evidence-marks";

const COLUMNS = ["what", "declared", "probed", "observed", "verdict"] as const;

/** On narrow screens the three stand beside each other without scrolling; the verdict goes below the name. */
const NARROW_COLUMNS = {
  what: "max-md:w-[28%]",
  declared: "max-md:w-[18%]",
  probed: "max-md:w-[28%]",
  observed: "max-md:w-[26%]",
  verdict: "max-md:hidden",
} as const satisfies Record<(typeof COLUMNS)[number], string>;

/** What is said of a provider, what its last check answered, and what the last real runs have shown, side by side. */
export function EvidenceTable({ provider, row }: { provider: BackendProvider; row: BackendRow }) {
  const { t } = useI18n();
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="font-semibold">{t("backends.evidence")}</h3>
          <p className="text-ink-faint text-xs">{t("backends.evidenceHint")}</p>
        </div>
        <CapabilityCheck provider={provider} row={row} />
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard.
        tabIndex={0}
        aria-label={t("backends.evidenceOf", { provider: provider.name })}
        className="overflow-x-auto rounded-md border border-line"
      >
        <table className="w-full min-w-80 table-fixed text-left md:min-w-140">
          <thead className="bg-canvas text-ink-faint text-xs">
            <tr>
              {COLUMNS.map((column) => (
                <th key={column} scope="col" className={`px-2 py-1.5 font-normal md:px-3 ${NARROW_COLUMNS[column]}`}>
                  {t(`backends.evidence.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            <AnswersRow provider={provider} />
            <ModelRow provider={provider} />
            {CAPABILITIES.map((capability) => (
              <CapabilityRow key={capability} capability={capability} provider={provider} />
            ))}
          </tbody>
        </table>
      </section>
      <CheckedModels provider={provider} />
    </div>
  );
}

function CapabilityRow({ capability, provider }: { capability: Capability; provider: BackendProvider }) {
  const { t } = useI18n();
  const evidence = provider.evidence[capability];
  const { declared, checked, lastSeen } = evidence;
  return (
    <EvidenceRow
      what={t(`backends.capability.${capability}`)}
      declared={<Marked mark={declaredMark(declared)} />}
      probed={checked && <Checked checked={checked} known={provider.health?.reason ?? ""} />}
      observed={lastSeen === null ? SHOWN_BY_A_CHECK_ONLY.has(capability) && <HiddenFromAnswers /> : <Seen lastSeen={lastSeen} />}
      verdict={verdictOf(capability, evidence)}
    />
  );
}

/** `known` is a reason that stands above already: one refusal explains all four. */
function Checked({ checked, known }: { checked: NonNullable<Evidence["checked"]>; known: string }) {
  const { t } = useI18n();
  const { reason, at, model } = checked;
  return (
    <>
      <Marked mark={checkedMark(checked)} />
      {reason !== "" && reason !== known && (
        <span className="block break-words text-ink-soft text-xs">{serverSentence(t, reason)}</span>
      )}
      <At value={at}>
        {" · "}
        <code className="break-words font-mono">
          <BreakableName name={model} />
        </code>
      </At>
    </>
  );
}

function Seen({ lastSeen }: { lastSeen: NonNullable<Evidence["lastSeen"]> }) {
  const { t } = useI18n();
  const { at, runId, chunk } = lastSeen;
  const { icon: Icon, word } = seenMark(lastSeen);
  return (
    <>
      <span className="inline-flex items-center gap-1.5">
        <Icon aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
        <Link href={paths.chunk(runId, chunk)} className="rounded-sm underline">
          {t(word)}
        </Link>
      </span>
      <At value={at} />
    </>
  );
}

function HiddenFromAnswers() {
  const { t } = useI18n();
  return <span className="text-ink-faint text-xs">{t("backends.verdict.hidden")}</span>;
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
  const { models, health, lastSeen } = provider;
  const other = otherModel(provider);
  return (
    <EvidenceRow
      what={t("backends.evidence.model")}
      declared={
        models.length === 0 ? null : (
          <code className="break-words font-mono text-xs">
            <BreakableName name={formatList(models)} />
          </code>
        )
      }
      probed={
        health === null || health.model === "" ? null : (
          <>
            <code className="break-words font-mono text-xs">
              <BreakableName name={health.model} />
            </code>
            <At value={health.checkedAt} />
          </>
        )
      }
      observed={
        lastSeen === null ? null : (
          <>
            <code className="break-words font-mono text-xs">
              <BreakableName
                name={other === null ? lastSeen.model : t("backends.servedAs", { model: lastSeen.model, served: other })}
              />
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
  /** Empty = never checked. */
  probed: ReactNode;
  /** Empty = never seen. */
  observed: ReactNode;
  verdict: Verdict;
}

function EvidenceRow({ what, declared, probed, observed, verdict }: EvidenceRowProps) {
  const { t } = useI18n();
  const { icon: Icon, tone, word } = VERDICT_MARKS[verdict];
  const none = <span className="text-ink-faint">–</span>;
  const said = (
    <span className={`inline-flex items-start gap-1.5 font-normal text-tone ${TONE_CLASS[tone]}`}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t(word)}
    </span>
  );
  return (
    <tr className="align-top">
      <th scope="row" className="break-words px-2 py-1.5 font-medium md:px-3">
        {what}
        {/* In sight without scrolling sideways. */}
        <span className="block md:hidden">{said}</span>
      </th>
      <td className="px-2 py-1.5 md:px-3">{declared || none}</td>
      <td className="px-2 py-1.5 md:px-3">{probed || none}</td>
      <td className="px-2 py-1.5 md:px-3">{observed || none}</td>
      <td className="px-3 py-1.5 max-md:hidden">{said}</td>
    </tr>
  );
}

function Marked({ mark: { icon: Icon, word } }: { mark: Mark }) {
  const { t } = useI18n();
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      {t(word)}
    </span>
  );
}

function At({ value, children }: { value: string; children?: ReactNode }) {
  return (
    <span className="block text-ink-faint text-xs">
      <RelativeTime value={value} />
      {children}
    </span>
  );
}
