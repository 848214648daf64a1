"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { BreakableName } from "@/components/ui/breakable-name";
import type { AskedModel } from "@/server/runs/run.schema";

/** Models, each with how often it was asked and has answered. */
export function ModelCounts({ references, asked }: { references: readonly string[]; asked: readonly AskedModel[] }) {
  const { t } = useI18n();
  return (
    <ol className="space-y-1.5 text-xs">
      {references.map((reference) => {
        const counts = asked.find((entry) => entry.reference === reference);
        return (
          <li key={reference} className="flex flex-wrap items-baseline gap-x-2">
            <code className="break-words font-medium font-mono">
              <BreakableName name={reference} />
            </code>
            <span className="text-ink-faint">
              {counts === undefined
                ? t("runModels.notAsked")
                : t("runModels.askedTimes", { attempts: counts.attempts, succeeded: counts.succeeded })}
            </span>
            {counts?.served.map(({ model, provider, attempts }) => (
              <span key={`${model} ${provider ?? ""}`} className="w-full break-words text-ink-soft">
                {t("runModels.served", { model: provider === null ? model : `${model} · ${provider}`, count: attempts })}
              </span>
            ))}
          </li>
        );
      })}
    </ol>
  );
}
