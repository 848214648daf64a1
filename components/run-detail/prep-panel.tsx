"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { secretKindWord } from "@/components/i18n/server-words";
import { Panel } from "@/components/ui/panel";
import type { RunDetail } from "@/server/runs/run.schema";

/** Documents beyond this are only counted; a run may have hundreds. */
const SHOWN_DOCUMENTS = 20;

/** What was done to the text before anything was sent: nothing is masked or left out in silence. */
export function PrepPanel({ run }: { run: RunDetail }) {
  const { t, formatNumber, formatBytes } = useI18n();
  const { prep } = run;
  const more = prep.documents.length - SHOWN_DOCUMENTS;
  return (
    <Panel title={t("runDetail.prep")}>
      <dl className="space-y-3">
        <div>
          <dt className="text-ink-faint text-xs">{t("runDetail.prep.documents")}</dt>
          {prep.documents.slice(0, SHOWN_DOCUMENTS).map((document) => (
            <dd key={`${document.name} ${document.sha256}`} className="break-words">
              {document.name}{" "}
              <span className="text-ink-faint text-xs">
                {t("runDetail.prep.document", {
                  characters: formatNumber(document.characters),
                  lines: t("runDetail.lines", { count: document.lines }),
                  bytes: formatBytes(document.bytes),
                })}
                {document.isSession === true && ` · ${t("runDetail.prep.session")}`}
              </span>
            </dd>
          ))}
          {more > 0 && <dd className="text-ink-faint text-xs">{t("runDetail.group.more", { count: formatNumber(more) })}</dd>}
        </div>
        <div>
          <dt className="text-ink-faint text-xs">{t("runDetail.prep.sent")}</dt>
          <dd>
            {t("runDetail.prep.sentText", {
              characters: formatNumber(prep.cleanedCharacters),
              tokens: t("runDetail.tokens", { count: prep.tokens }),
              chunks: t("runDetail.group.count", { count: prep.chunks }),
              size: formatNumber(prep.chunkTokens),
            })}{" "}
            <span className="text-ink-faint text-xs">
              {t("runDetail.prep.tokenizer", {
                tokenizer: prep.tokenizer,
                estimated: prep.tokensEstimated ? t("runDetail.prep.tokenizerEstimated") : "",
              })}
            </span>
          </dd>
        </div>
        <div>
          <dt className="text-ink-faint text-xs">{t("runDetail.prep.masked")}</dt>
          <dd>
            {prep.masked.length === 0
              ? t("runDetail.prep.maskedNone")
              : prep.masked
                  .map(({ kind, count }) =>
                    t("runDetail.prep.maskedKind", { kind: secretKindWord(t, kind), count: formatNumber(count) }),
                  )
                  .join(", ")}
          </dd>
        </div>
        <div>
          <dt className="text-ink-faint text-xs">{t("runDetail.prep.dropped")}</dt>
          {prep.dropped.length === 0 && <dd>{t("runDetail.prep.droppedNone")}</dd>}
          {prep.dropped.map((entry) => (
            <dd key={entry.reason}>
              <details>
                <summary className="cursor-pointer rounded-sm">
                  {t("runDetail.prep.droppedRow", {
                    reason: t(`drop.${entry.reason}`),
                    lines: t("runDetail.lines", { count: entry.lines }),
                  })}
                </summary>
                <ul className="mt-1 space-y-0.5 border-line border-l-2 pl-3 text-ink-faint text-xs">
                  {entry.samples.map((sample, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: samples may be alike, and never move.
                    <li key={at} className="break-words font-mono">
                      {sample}
                    </li>
                  ))}
                </ul>
              </details>
            </dd>
          ))}
        </div>
      </dl>
    </Panel>
  );
}
