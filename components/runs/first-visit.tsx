"use client";

import { FileText, ListChecks, Plus, ScanSearch } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { ButtonLink } from "@/components/ui/button";
import { StartSampleButton } from "./start-sample-button";

const STEPS = [
  { icon: FileText, title: "runs.firstStep1", text: "runs.firstStep1Text" },
  { icon: ListChecks, title: "runs.firstStep2", text: "runs.firstStep2Text" },
  { icon: ScanSearch, title: "runs.firstStep3", text: "runs.firstStep3Text" },
] as const;

/** The list before the first run: what this is, and the two ways to begin. */
export function FirstVisit() {
  const { t } = useI18n();
  return (
    <section className="rounded-lg border border-line bg-surface px-5 py-10 shadow-panel sm:px-10">
      <div className="mx-auto max-w-3xl">
        <h2 className="font-semibold text-lg">{t("runs.firstTitle")}</h2>
        <p className="mt-2 max-w-prose text-ink-soft">{t("runs.firstText")}</p>
        <div className="mt-5 flex flex-wrap gap-2">
          <ButtonLink href={paths.newRun()} variant="primary" icon={<Plus aria-hidden className="size-4" />}>
            {t("runs.newRun")}
          </ButtonLink>
          <StartSampleButton />
        </div>
        <p className="mt-2 text-ink-faint text-xs">{t("runs.firstSample")}</p>
        <ol className="mt-8 grid gap-6 border-line border-t pt-6 sm:grid-cols-3">
          {STEPS.map(({ icon: Icon, title, text }) => (
            <li key={title}>
              <Icon aria-hidden className="size-5 text-accent" />
              <p className="mt-2 font-medium">{t(title)}</p>
              <p className="mt-0.5 text-ink-soft text-xs leading-5">{t(text)}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
