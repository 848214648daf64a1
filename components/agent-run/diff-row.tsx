"use client";

import { Ban, CircleHelp, FileDiff, Files, type LucideIcon, Unplug, X } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import type { Tone } from "@/components/ui/tone";
import { shownPath } from "./command-text";
import { KeptTextView, WholeLink } from "./kept-text";
import { type PatchLineKind, patchLines } from "./patch-lines";
import { OpeningRow, type RowContext } from "./row-parts";
import { approvalWords } from "./tool-row";
import type { DiffRow } from "./trace-row";

/** Names of files that the line shows; the patch has all. */
const PATHS_SHOWN = 4;

const LOOKS = {
  proposed: { icon: CircleHelp, tone: "warning" },
  ok: { icon: FileDiff, tone: "neutral" },
  failed: { icon: X, tone: "danger" },
  declined: { icon: Ban, tone: "cancelled" },
  unknown: { icon: Unplug, tone: "warning" },
} as const satisfies Record<DiffRow["state"], { icon: LucideIcon; tone: Tone }>;

/** The sign at the beginning of a line says the same as its colour. */
const LINE_CLASS = {
  added: "tone-success bg-tone-soft text-tone",
  removed: "tone-danger bg-tone-soft text-tone",
  place: "text-ink-faint",
  file: "font-medium text-ink",
  same: "text-ink-soft",
} as const satisfies Record<PatchLineKind, string>;

interface DiffRowViewProps {
  row: DiffRow;
  context: RowContext;
  isOpen: boolean;
  onToggle: () => void;
}

export function DiffRowView({ row, context, isOpen, onToggle }: DiffRowViewProps) {
  const i18n = useI18n();
  const { t, formatNumber, formatBytes } = i18n;
  const { state, scope, files, patch, added, removed, approval } = row;
  const look = LOOKS[state];
  const title = t(state === "ok" ? `trace.diff.${scope}` : `trace.diff.${state}`, { count: files });
  const names = row.paths.slice(0, PATHS_SHOWN).map((path) => shownPath(path, context.workspace));
  const more = Math.max(files, row.paths.length) > names.length;
  return (
    <OpeningRow
      icon={scope === "turn" ? Files : look.icon}
      tone={look.tone}
      isOpen={isOpen}
      onToggle={onToggle}
      facts={
        <>
          {approval !== null && <span>{approvalWords(i18n, approval)}</span>}
          {added + removed > 0 && (
            <>
              <span className="sr-only">{t("trace.diff.lines", { added, removed })}</span>
              <span aria-hidden className="tone-success text-tone">
                {patch.isCut ? "≥" : ""}+{formatNumber(added)}
              </span>
              <span aria-hidden className="tone-danger text-tone">
                {patch.isCut ? "≥" : ""}−{formatNumber(removed)}
              </span>
            </>
          )}
        </>
      }
      body={() =>
        patch.text === "" ? (
          <p className="text-ink-faint text-xs">{t("trace.diff.empty")}</p>
        ) : (
          <>
            <KeptTextView
              text={patch.text}
              isCut={patch.isCut}
              label={t("trace.diff.patch", { seq: row.seq })}
              copyLabel={t("trace.diff.copy")}
              render={(part) => <PatchText patch={part} />}
            />
            {patch.artifactId !== null && (
              <WholeLink href={paths.api.artifact(context.runId, patch.artifactId)}>
                {t("trace.diff.whole", { bytes: formatBytes(patch.bytes) })}
              </WholeLink>
            )}
          </>
        )
      }
    >
      <span className="text-ink text-xs leading-5">
        {title}
        {names.length > 0 && (
          <code className="ml-1.5 break-all font-mono text-ink-soft">
            {names.join(", ")}
            {more && ", …"}
          </code>
        )}
      </span>
    </OpeningRow>
  );
}

function PatchText({ patch }: { patch: string }) {
  return patchLines(patch).map(({ kind, text }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a patch that never changes.
    <span key={at} className={`block ${LINE_CLASS[kind]}`}>
      {text === "" ? " " : text}
    </span>
  ));
}
