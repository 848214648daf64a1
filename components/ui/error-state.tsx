"use client";

import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { useUiLabels } from "./ui-labels";

interface ErrorStateProps {
  /** One sentence: what could not be shown. */
  title: ReactNode;
  /** What the server said. */
  message?: ReactNode;
  onRetry?: () => void;
  retrying?: boolean;
}

export function ErrorState({ title, message, onRetry, retrying = false }: ErrorStateProps) {
  const labels = useUiLabels();
  return (
    <div role="alert" className="tone-danger flex flex-wrap items-start gap-3 rounded-lg bg-tone-soft p-4">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-tone" />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-tone">{title}</p>
        {message && <p className="mt-0.5 break-words text-ink-soft">{message}</p>}
      </div>
      {onRetry && (
        <Button size="sm" icon={<RotateCw aria-hidden className="size-3.5" />} pending={retrying} onClick={onRetry}>
          {labels.retry}
        </Button>
      )}
    </div>
  );
}
