"use client";

import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { buttonClass } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Panel } from "@/components/ui/panel";
import type { ArtifactView } from "@/server/runs/run.schema";
import { type BodyView, SHOWN_BYTES, shownBody } from "./artifact-text";

/** The beginning of a hash tells two apart; the whole is copied. */
const SHORT_HASH = 12;

interface ArtifactPanelProps {
  runId: string;
  title: string;
  artifact: ArtifactView;
  views: readonly BodyView[];
}

/** An artifact as it is, or made readable; always as text. */
export function ArtifactPanel({ runId, title, artifact, views }: ArtifactPanelProps) {
  const { t, formatBytes } = useI18n();
  const [view, setView] = useState<BodyView>("pretty");
  const shown = useMemo(() => shownBody(artifact.body, view), [artifact.body, view]);
  return (
    <Panel
      title={title}
      hint={
        <span className="inline-flex items-center gap-1">
          {formatBytes(artifact.bytes)} · <code title={artifact.sha256}>sha256 {artifact.sha256.slice(0, SHORT_HASH)}</code>
          <CopyButton value={artifact.sha256} label={t("chunk.copyHash")} className="h-5! w-5! touch:h-9! touch:w-9!" />
        </span>
      }
      actions={
        <>
          <fieldset aria-label={t("chunk.artifactView")} className="flex rounded-md border border-line-strong">
            {views.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={view === each}
                onClick={() => setView(each)}
                className={classNames(
                  "h-7 px-2.5 font-medium text-xs first:rounded-l-md last:rounded-r-md touch:h-9",
                  view === each ? "bg-accent-soft text-ink" : "text-ink-soft hover:bg-hover",
                )}
              >
                {t(`chunk.${each}`)}
              </button>
            ))}
          </fieldset>
          <a
            href={paths.api.artifact(runId, artifact.id)}
            download
            aria-label={t("chunk.download", { name: title })}
            className={buttonClass("secondary", "sm")}
          >
            <Download aria-hidden className="size-3.5" />
          </a>
        </>
      }
    >
      <div className="space-y-2">
        {!shown.isJson && <p className="text-ink-faint text-xs">{t("chunk.notJson")}</p>}
        <CodeBlock
          text={shown.text}
          label={`${title} · ${t(`chunk.${view}`)}`}
          copyLabel={t("chunk.copyBody", { name: title })}
        />
        {shown.isCut && (
          <p className="text-ink-faint text-xs">
            {t("chunk.cut", { shown: formatBytes(SHOWN_BYTES), bytes: formatBytes(artifact.bytes) })}
          </p>
        )}
      </div>
    </Panel>
  );
}
