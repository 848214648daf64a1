"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { Badge } from "@/components/ui/badge";
import type { StatusStyle } from "./status-table";

/** One look for every badge of a state; the three named badges choose the row of the table. */
export function StatusBadge({ style, title }: { style: StatusStyle; title?: string | undefined }) {
  const { t } = useI18n();
  const Icon = style.icon;
  return (
    <Badge
      tone={style.tone}
      title={title}
      icon={<Icon aria-hidden className={`size-3.5 ${style.moving ? "animate-breathe" : ""}`} />}
    >
      {t(style.word)}
    </Badge>
  );
}
