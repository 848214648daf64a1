"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageTitle } from "@/components/ui/page-title";

export function BackendNotFound({ profile }: { profile: string }) {
  const { t } = useI18n();
  return (
    <div className="py-12">
      <PageTitle title={t("backends.notFound")} />
      <EmptyState
        title={<h1>{t("backends.notFound")}</h1>}
        actions={<ButtonLink href={paths.backends()}>{t("backends.all")}</ButtonLink>}
      >
        <p className="break-all">{t("backends.notFoundDetail", { profile })}</p>
      </EmptyState>
    </div>
  );
}
