"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { classNames } from "@/components/ui/class-names";

/**
 * What a provider or backend said, word for word and quoted as such: it is in whatever language it came in. A sentence of the
 * server's own (its worker stopped) is said in the reader's.
 */
export function RawMessage({ text, className }: { text: string; className?: string }) {
  const { t } = useI18n();
  const ours = serverSentence(t, text);
  const look = classNames("break-words text-ink-soft", className);
  return ours === text ? <q className={look}>{text}</q> : <span className={look}>{ours}</span>;
}
