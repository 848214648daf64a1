"use client";

import { useQuery } from "@tanstack/react-query";
import { PenLine } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useTRPC } from "@/components/trpc/trpc-client";

/** How often the growing text is asked for, while somebody looks. */
const LOOK_MS = 400;

/** What the turn under way is writing: progress, which is gone once the message itself is there. */
export function WritingLine({ runId }: { runId: string }) {
  const { t } = useI18n();
  const api = useTRPC();
  const { data } = useQuery(
    api.agents.writing.queryOptions({ id: runId }, { refetchInterval: LOOK_MS, gcTime: 0, staleTime: 0, retry: false }),
  );
  const text = data?.text ?? "";
  if (text === "") return null;
  return (
    <section
      aria-label={t("trace.writing")}
      className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 border-line border-t border-dashed px-3 py-2 text-ink-soft"
    >
      <PenLine aria-hidden className="mt-1 size-3.5 text-ink-faint" />
      <div className="min-w-0">
        <p className="text-ink-faint text-xs">{t("trace.writing")}</p>
        {/* Its end is what is new. */}
        <div className="flex max-h-48 flex-col-reverse overflow-y-auto">
          <p className="whitespace-pre-wrap break-words">{text}</p>
        </div>
      </div>
    </section>
  );
}
