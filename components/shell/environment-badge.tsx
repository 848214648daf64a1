"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { Badge } from "@/components/ui/badge";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** Which server this is, by the name in the address: two open consoles must not be mixed up. */
export function EnvironmentBadge({ host }: { host: string }) {
  const { t } = useI18n();
  const name = LOOPBACK.test(host) ? t("shell.local") : host;
  return (
    <Badge title={t("shell.environment", { name: host })} className="max-w-40">
      <span className="truncate">{name}</span>
    </Badge>
  );
}
