"use client";

import { CircleCheck } from "lucide-react";
import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { KeyHint } from "@/components/ui/key-hint";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";
import { useConfig } from "./config-state";
import { ProblemList } from "./problem-list";
import type { TextPlace } from "./yaml-editor";

/** An editor is large: only this tab loads it. */
const YamlEditor = dynamic(() => import("./yaml-editor").then((module) => module.YamlEditor), {
  ssr: false,
  loading: () => <Skeleton className="h-full" />,
});

function placeFrom(parameters: URLSearchParams): TextPlace | null {
  const line = Number(parameters.get("line"));
  const column = Number(parameters.get("column") ?? 1);
  return Number.isSafeInteger(line) && line > 0 ? { line, column: Number.isSafeInteger(column) ? column : 1 } : null;
}

/** The document as it is written, with everything that is wrong at its place. */
export function YamlPage() {
  const { t } = useI18n();
  const { text, type, evaluation, isOutdated, openSave, draft } = useConfig();
  const parameters = useSearchParams();
  const [place, setPlace] = useState<TextPlace | null>(() => placeFrom(parameters));
  const problems = evaluation?.problems ?? [];
  return (
    <div className="space-y-4">
      <Panel
        title={t("config.yaml.title")}
        flush
        hint={
          <span className="hidden items-center gap-1.5 sm:inline-flex">
            {t("config.yaml.leave")} <KeyHint keys={["Esc", "Tab"]} />
          </span>
        }
      >
        <div className="h-[calc(100dvh-24rem)] min-h-80 overflow-hidden rounded-b-lg">
          <YamlEditor
            text={text}
            label={t("config.yaml.label")}
            onChange={type}
            onSave={() => {
              if (draft !== null && evaluation?.usable === true && !isOutdated) openSave();
            }}
            problems={problems}
            place={place}
          />
        </div>
      </Panel>
      <Panel title={t("config.problems")} flush>
        {evaluation === undefined ? (
          <Skeleton className="m-4 h-6" />
        ) : problems.length === 0 ? (
          <p className="tone-success flex items-center gap-2 px-4 py-3">
            <CircleCheck aria-hidden className="size-4 text-tone" />
            {t("config.noProblems")}
          </p>
        ) : (
          <ProblemList
            problems={problems}
            onOpen={({ line, column }) => {
              if (line !== null) setPlace({ line, column: column ?? 1 });
            }}
          />
        )}
      </Panel>
    </div>
  );
}
