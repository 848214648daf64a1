"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { Badge } from "@/components/ui/badge";
import { isLoopback } from "@/server/shared/loopback.rules";

/** Which server this is, by the name in the address: two open consoles must not be mixed up. */
export function EnvironmentBadge({ host }: { host: string }) {
  const { t } = useI18n();
  const name = isLoopback(host.replace(/:\d+$/, "")) ? t("shell.local") : host;
  return (
    <Badge title={t("shell.environment", { name: host })} className="min-w-0 max-w-40">
      <span className="truncate">{name}</span>
    </Badge>
  );
}
