"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageTitle } from "@/components/ui/page-title";

export function RunNotFound({ runId }: { runId: string }) {
  const { t } = useI18n();
  return (
    <div className="py-12">
      <PageTitle title={t("runDetail.notFound")} />
      <EmptyState
        title={<h1>{t("runDetail.notFound")}</h1>}
        actions={<ButtonLink href={paths.runs()}>{t("runDetail.allRuns")}</ButtonLink>}
      >
        <p className="break-all">{t("runDetail.notFoundDetail", { id: runId })}</p>
      </EmptyState>
    </div>
  );
}
