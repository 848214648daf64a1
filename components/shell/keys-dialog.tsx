"use client";

import { type ReactNode, useSyncExternalStore } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import type { MessageKey } from "@/components/i18n/messages";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { KeyHint } from "@/components/ui/key-hint";
import { areKeysOn, setKeysOn, subscribeKeys } from "./keys-setting";

const KEYS: readonly { keys: readonly string[]; word: MessageKey }[] = [
  { keys: ["g", "r"], word: "shell.keys.runs" },
  { keys: ["g", "n"], word: "shell.keys.newRun" },
  { keys: ["g", "c"], word: "shell.keys.config" },
  { keys: ["g", "b"], word: "shell.keys.backends" },
  { keys: ["/"], word: "shell.keys.filter" },
  { keys: ["j"], word: "shell.keys.nextRow" },
  { keys: ["k"], word: "shell.keys.previousRow" },
  { keys: ["enter"], word: "shell.keys.open" },
  { keys: ["?"], word: "shell.keys.help" },
  { keys: ["esc"], word: "shell.keys.close" },
];

interface KeysDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function KeysDialog({ open, onOpenChange }: KeysDialogProps) {
  const { t } = useI18n();
  const on = useSyncExternalStore(subscribeKeys, areKeysOn, () => true);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("shell.keys")} size="sm">
      <dl className="divide-y divide-line">
        {KEYS.map(({ keys, word }) => (
          <KeyRow key={word} name={t(word)}>
            <KeyHint keys={keys} />
          </KeyRow>
        ))}
      </dl>
      <div className="mt-4 border-line border-t pt-4">
        <Checkbox label={t("shell.keysOn")} checked={on} onChange={(event) => setKeysOn(event.target.checked)} />
        <p className="mt-1 text-ink-faint text-xs">{t("shell.keysHint")}</p>
      </div>
    </Dialog>
  );
}

function KeyRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4 py-1.5">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
