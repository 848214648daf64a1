"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageTitle } from "@/components/ui/page-title";

interface ChunkNotFoundProps {
  runId: string;
  /** As it stands in the address. */
  index: string;
  /** How many chunks the run has; null: there is no such run. */
  chunks: number | null;
}

/** Tells an unknown run from a run that has no such chunk. */
export function ChunkNotFound({ runId, index, chunks }: ChunkNotFoundProps) {
  const { t } = useI18n();
  const sentence = chunks === null ? t("chunk.runNotFound") : t("chunk.notFound", { index });
  return (
    <div className="py-12">
      <PageTitle title={sentence} />
      <EmptyState
        title={<h1 className="break-all">{sentence}</h1>}
        actions={
          <ButtonLink href={chunks === null ? paths.runs() : paths.run(runId, "chunks")}>
            {t(chunks === null ? "runDetail.allRuns" : "chunk.allChunks")}
          </ButtonLink>
        }
      >
        {chunks !== null && <p>{t("chunk.notFoundDetail", { count: chunks })}</p>}
      </EmptyState>
    </div>
  );
}
