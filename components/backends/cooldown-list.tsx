"use client";

import { Hourglass } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { useTextOfNow } from "@/components/i18n/use-now";
import { RawMessage } from "@/components/status/raw-message";
import { BreakableName } from "@/components/ui/breakable-name";
import { Button } from "@/components/ui/button";
import type { Cooldown } from "@/server/runs/backend-view.schema";
import { useClearCooldown } from "./use-provider-actions";

const TICK_MS = 1_000;

interface CooldownListProps {
  cooldowns: readonly Cooldown[];
  /** The button that was pressed is gone with its row: the focus needs a new place. */
  onCleared: () => void;
}

/** Models that are left alone for a while: why, until when, and the way to end it. */
export function CooldownList({ cooldowns, onCleared }: CooldownListProps) {
  const { t } = useI18n();
  if (cooldowns.length === 0) return null;
  return (
    <ul aria-label={t("backends.cooldowns")} className="space-y-1.5">
      {cooldowns.map((cooldown) => (
        <CooldownRow key={`${cooldown.provider}/${cooldown.model}`} cooldown={cooldown} onCleared={onCleared} />
      ))}
    </ul>
  );
}

function CooldownRow({ cooldown, onCleared }: { cooldown: Cooldown; onCleared: () => void }) {
  const { t, formatDuration, formatTime } = useI18n();
  const clear = useClearCooldown(onCleared);
  const { provider, model, failureKind, reason, failures, since, until } = cooldown;
  const left = useTextOfNow(TICK_MS, (now) => {
    const milliseconds = Date.parse(until) - now;
    return milliseconds > 0
      ? t("backends.cooldown.left", { duration: formatDuration(Math.ceil(milliseconds / TICK_MS) * TICK_MS) })
      : t("backends.cooldown.due");
  });
  const reference = `${provider}/${model}`;
  return (
    <li className="tone-retry flex flex-wrap items-start gap-x-3 gap-y-1.5 rounded-md bg-tone-soft px-3 py-2">
      <Hourglass aria-hidden className="mt-0.5 size-4 shrink-0 text-tone" />
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap gap-x-2">
          <span className="break-words font-medium text-tone">
            <BreakableName name={t("backends.cooldown.of", { model: reference })} />
          </span>
          <span title={formatTime(until)} className="text-tone tabular-nums" suppressHydrationWarning>
            {left}
          </span>
        </p>
        <p className="text-ink-soft text-xs">
          {t(`failure.title.${failureKind}`)} · <RawMessage text={reason} />
        </p>
        <p className="text-ink-soft text-xs">
          {t("backends.cooldown.failures", { count: failures })} · {t("backends.cooldown.since")} <RelativeTime value={since} />
        </p>
      </div>
      <Button
        size="sm"
        pending={clear.isPending}
        aria-label={t("backends.cooldown.clearOf", { model: reference })}
        onClick={() => clear.mutate({ provider, model })}
      >
        {t("backends.cooldown.clear")}
      </Button>
    </li>
  );
}
