"use client";

import { Pencil, TriangleAlert } from "lucide-react";
import { BreakableName } from "@/components/ui/breakable-name";
import { splitModelReference } from "@/server/config/config.rules";
import type { SceneRow } from "@/server/runs/config-view.schema";

/** `provider/model` with the model foremost. */
export function ModelName({ reference }: { reference: string }) {
  const parts = splitModelReference(reference);
  if (parts === null)
    return (
      <span className="break-words">
        <BreakableName name={reference} />
      </span>
    );
  return (
    <span className="min-w-0 break-words">
      <span className="text-ink-faint">
        <BreakableName name={`${parts.provider}/`} />
      </span>
      <wbr />
      <span className="font-medium text-ink">
        <BreakableName name={parts.model} />
      </span>
    </span>
  );
}

interface ModelButtonProps {
  candidate: SceneRow["candidates"][number];
  /** What a press does, with the model's name in it. */
  label: string;
  onClick: () => void;
}

/** A model of a scene; a press chooses another. */
export function ModelButton({ candidate, label, onClick }: ModelButtonProps) {
  return (
    <div className="min-w-0">
      <button
        type="button"
        aria-label={label}
        onClick={onClick}
        className="group inline-flex min-h-7 max-w-full items-center gap-2 rounded-md border border-line bg-surface px-2.5 py-0.5 text-left hover:border-line-strong touch:min-h-11"
      >
        <ModelName reference={candidate.reference} />
        <Pencil aria-hidden className="size-3 shrink-0 text-ink-faint group-hover:text-ink" />
      </button>
      {candidate.problem !== null && (
        <p className="tone-warning mt-1 flex items-start gap-1 break-words text-tone text-xs">
          <TriangleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          {candidate.problem}
        </p>
      )}
    </div>
  );
}
