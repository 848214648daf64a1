"use client";

import { FileQuestion } from "lucide-react";
import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { EmptyState } from "@/components/ui/empty-state";
import { useConfig } from "./config-state";

/** The text is not YAML, or not a document: there is nothing to make rows of. */
export function Unreadable() {
  const { t } = useI18n();
  const { evaluation } = useConfig();
  const first = evaluation?.problems.find((problem) => problem.severity === "error");
  return (
    <div className="rounded-lg border border-line bg-surface shadow-panel">
      <EmptyState
        icon={<FileQuestion aria-hidden className="size-8" />}
        title={t("config.unreadable")}
        actions={
          <Link
            href={paths.config("yaml", first?.line ? { line: first.line, column: first.column ?? 1 } : undefined)}
            className="text-accent underline underline-offset-2"
          >
            {first?.line ? t("config.unreadableOpen", { line: first.line }) : t("config.tab.yaml")}
          </Link>
        }
      >
        {t("config.unreadableText")}
      </EmptyState>
    </div>
  );
}
