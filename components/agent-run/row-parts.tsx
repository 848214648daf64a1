"use client";

import { ChevronRight, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";
import { TONE_CLASS, type Tone } from "@/components/ui/tone";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";

/** What rows need to know of their run. */
export interface RowContext {
  runId: string;
  workspace: string;
  commands: ReadonlyMap<string, AgentRunDetail["commands"][number]>;
}

export function rowContext({ id, policy, commands }: Pick<AgentRunDetail, "id" | "policy" | "commands">): RowContext {
  return { runId: id, workspace: policy.workspace, commands: new Map(commands.map((command) => [command.id, command])) };
}

/** One line: a mark, what it is about, and facts at its end. */
const LINE =
  "grid w-full grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-2 px-3 py-1 text-left sm:grid-cols-[1rem_minmax(0,1fr)_auto]";
const FACTS = "flex flex-wrap items-baseline gap-x-2.5 text-ink-faint text-xs leading-5 tabular-nums max-sm:col-start-2";

interface LineProps {
  icon: LucideIcon;
  tone?: Tone;
  facts?: ReactNode;
  children: ReactNode;
}

function Mark({ icon: Icon, tone = "neutral" }: Pick<LineProps, "icon" | "tone">) {
  return <Icon aria-hidden className={classNames("mt-[3px] size-3.5 text-tone", TONE_CLASS[tone])} />;
}

export function RowLine({ icon, tone = "neutral", facts, children }: LineProps) {
  return (
    <div className={LINE}>
      <Mark icon={icon} tone={tone} />
      <div className="min-w-0">{children}</div>
      {facts !== undefined && <div className={FACTS}>{facts}</div>}
    </div>
  );
}

interface OpeningRowProps extends LineProps {
  isOpen: boolean;
  onToggle: () => void;
  /** Only asked for while it is open. */
  body: () => ReactNode;
}

/** A line that opens: its button is the whole line. */
export function OpeningRow({ icon, tone = "neutral", facts, children, isOpen, onToggle, body }: OpeningRowProps) {
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className={classNames(LINE, "rounded-sm -outline-offset-2 hover:bg-hover touch:min-h-11 touch:py-2.5")}
      >
        <Mark icon={icon} tone={tone} />
        <span className="min-w-0">{children}</span>
        <span className={FACTS}>
          {facts}
          <ChevronRight aria-hidden className={classNames("size-3.5 self-center", isOpen && "rotate-90")} />
        </span>
      </button>
      {isOpen && <div className="space-y-2 pr-3 pb-2 pl-9">{body()}</div>}
    </>
  );
}
