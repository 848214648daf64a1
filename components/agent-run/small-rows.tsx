"use client";

import {
  CircleHelp,
  CircleStop,
  EyeOff,
  type LucideIcon,
  MessageSquare,
  MessageSquareText,
  RotateCw,
  Sparkles,
  X,
} from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { paths } from "@/components/paths";
import { RawMessage } from "@/components/status/raw-message";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { shownCommand } from "./command-text";
import { WholeLink } from "./kept-text";
import { type RowContext, RowLine } from "./row-parts";
import { approvalWords } from "./tool-row";
import type { ApprovalRow, ErrorRow, MessageRow, NoteRow, SuppressedRow } from "./trace-row";

/** Characters of a message that are shown at once; the longest ones would push all else away. */
const MESSAGE_SHOWN = 1_600;

interface OpeningProps {
  isOpen: boolean;
  onToggle: () => void;
}

/** What the agent said; what it said on the way is dimmer than its reply. */
export function MessageRowView({ row, context, isOpen, onToggle }: { row: MessageRow; context: RowContext } & OpeningProps) {
  const { t } = useI18n();
  const { text, artifactId } = row.said;
  const isShort = isOpen || text.length <= MESSAGE_SHOWN;
  return (
    <RowLine icon={row.isFinal ? MessageSquareText : MessageSquare} tone={row.isFinal ? "success" : "neutral"}>
      <span className="sr-only">{`${t(row.isFinal ? "trace.message.reply" : "trace.message.said")}: `}</span>
      <p className={classNames("whitespace-pre-wrap break-words", row.isCommentary ? "text-ink-faint" : "text-ink")}>
        {isShort ? text : `${text.slice(0, MESSAGE_SHOWN)}…`}
      </p>
      {!isShort && (
        <Button size="sm" variant="ghost" className="-ml-2.5" onClick={onToggle}>
          {t("trace.message.more")}
        </Button>
      )}
      {isShort && artifactId !== null && (
        <WholeLink href={paths.api.artifact(context.runId, artifactId)}>{t("trace.message.whole")}</WholeLink>
      )}
    </RowLine>
  );
}

export function ErrorRowView({ row }: { row: ErrorRow }) {
  const { t } = useI18n();
  const title = row.failureKind === null ? t("trace.error.unknown") : t(`failure.title.${row.failureKind}`);
  return (
    <RowLine
      icon={row.isRetried ? RotateCw : X}
      tone={row.isRetried ? "retry" : "danger"}
      facts={
        row.isRetried && (
          <>
            <span>{t("trace.error.retried")}</span>
            {row.times > 1 && <span>{t("trace.error.times", { count: row.times })}</span>}
          </>
        )
      }
    >
      <p className="text-xs leading-5">
        <span className={`${row.isRetried ? "tone-retry" : "tone-danger"} font-medium text-tone`}>{title}</span>{" "}
        {row.message !== "" && <RawMessage text={row.message} />}
      </p>
    </RowLine>
  );
}

/** A question that belongs to no call: a change of files. */
export function ApprovalRowView({ row: { approval } }: { row: ApprovalRow }) {
  const i18n = useI18n();
  return (
    <RowLine icon={CircleHelp} tone="warning" facts={<span>{approvalWords(i18n, approval)}</span>}>
      <p className="text-xs leading-5">
        {i18n.t(`trace.approval.${approval.kind}`)}{" "}
        {approval.subject !== "" && <code className="break-all font-mono text-ink-soft">{shownCommand(approval.subject)}</code>}
      </p>
    </RowLine>
  );
}

/** A chip that opens the counts of what no line tells. */
export function SuppressedRowView({ row, isOpen, onToggle }: { row: SuppressedRow } & OpeningProps) {
  const { t, formatNumber } = useI18n();
  return (
    <div className="px-3 py-1 pl-9">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="tone-neutral inline-flex min-h-5.5 items-center gap-1 rounded-full bg-tone-soft px-2 text-left text-tone text-xs touch:min-h-9"
      >
        <EyeOff aria-hidden className="size-3 shrink-0" />
        {t("trace.suppressed", { count: row.total })}
      </button>
      {isOpen && (
        <dl aria-label={t("trace.suppressed.counts")} className="mt-1.5 grid w-fit grid-cols-[auto_auto] gap-x-4 text-xs">
          {row.counts.map(({ name, count }) => (
            <div key={name} className="col-span-2 grid grid-cols-subgrid">
              <dt className="break-all font-mono text-ink-soft">{name}</dt>
              <dd className="text-right text-ink-faint tabular-nums">{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

const NOTE_ICONS = {
  started: Sparkles,
  resumed: Sparkles,
  interrupt: CircleStop,
  cancelled: CircleStop,
  status: Sparkles,
} as const satisfies Record<NoteRow["note"], LucideIcon>;

/** Small remarks. */
export function NoteRowView({ row }: { row: NoteRow }) {
  const { t } = useI18n();
  const text = row.text === null ? null : serverSentence(t, row.text);
  const parts = [row.note === "status" ? null : t(`trace.note.${row.note}`), text, row.model, row.version];
  return (
    <RowLine icon={NOTE_ICONS[row.note]}>
      <p className="break-words text-ink-faint text-xs leading-5">{parts.filter((part) => part !== null).join(" · ")}</p>
    </RowLine>
  );
}
