"use client";

import {
  CircleCheck,
  CircleDashed,
  FileX,
  FolderX,
  KeyRound,
  type LucideIcon,
  OctagonAlert,
  Space,
  TriangleAlert,
} from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import type { MessageKey } from "@/components/i18n/messages";
import { Badge } from "@/components/ui/badge";
import type { Tone } from "@/components/ui/tone";
import { mayTakeKey } from "@/server/config/backend-kind.rules";
import type { SecretState } from "@/server/config/config.rules";
import type { ProviderRow } from "@/server/runs/config-view.schema";

interface Look {
  icon: LucideIcon;
  tone: Tone;
  word: MessageKey;
}

const KEY_LOOKS = {
  set: { icon: CircleCheck, tone: "success", word: "config.key.set" },
  missing: { icon: TriangleAlert, tone: "danger", word: "config.key.missing" },
  empty: { icon: CircleDashed, tone: "danger", word: "config.key.empty" },
  unreadable: { icon: FileX, tone: "danger", word: "config.key.unreadable" },
  stray_whitespace: { icon: Space, tone: "warning", word: "config.key.strayWhitespace" },
  malformed: { icon: OctagonAlert, tone: "danger", word: "config.key.malformed" },
  outside: { icon: FolderX, tone: "danger", word: "config.key.outside" },
} as const satisfies Record<SecretState, Look>;

function lookOf(provider: ProviderRow): Look {
  if (provider.keyState !== null) return KEY_LOOKS[provider.keyState];
  return provider.needsKey
    ? { icon: TriangleAlert, tone: "danger", word: "config.key.notNamed" }
    : { icon: KeyRound, tone: "neutral", word: mayTakeKey(provider.kind) ? "config.key.optional" : "config.key.notNeeded" };
}

/** Whether a provider can be used, as far as its key goes: an icon and a word, the colour only beside them. */
export function ProviderStateBadge({ provider }: { provider: ProviderRow }) {
  const { t } = useI18n();
  const { icon: Icon, tone, word } = lookOf(provider);
  return (
    <Badge tone={tone} icon={<Icon aria-hidden className="size-3" />}>
      {t(word)}
    </Badge>
  );
}
