"use client";

import { SearchX, TriangleAlert } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { Button, ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageTitle } from "@/components/ui/page-title";

export function PageNotFound() {
  const { t } = useI18n();
  return (
    <div className="py-12">
      <PageTitle title={t("page.notFound")} />
      <EmptyState
        icon={<SearchX aria-hidden className="size-8" />}
        title={<h1>{t("page.notFound")}</h1>}
        actions={<ButtonLink href={paths.runs()}>{t("page.toRuns")}</ButtonLink>}
      >
        {t("page.notFoundText")}
      </EmptyState>
    </div>
  );
}

interface PageBrokenProps {
  /** Ties what is on screen to the line in the server's log. */
  digest: string | undefined;
  onRetry: () => void;
}

export function PageBroken({ digest, onRetry }: PageBrokenProps) {
  const { t } = useI18n();
  return (
    <div className="py-12" role="alert">
      <EmptyState
        icon={<TriangleAlert aria-hidden className="size-8" />}
        title={<h1>{t("page.broken")}</h1>}
        actions={
          <>
            <Button variant="primary" onClick={onRetry}>
              {t("common.retry")}
            </Button>
            <ButtonLink href={paths.runs()}>{t("page.toRuns")}</ButtonLink>
          </>
        }
      >
        <p>{t("page.brokenText")}</p>
        {digest && <p className="mt-1 font-mono text-ink-faint text-xs">{digest}</p>}
      </EmptyState>
    </div>
  );
}
