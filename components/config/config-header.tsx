"use client";

import { CircleX, Ellipsis, FileDown, FileUp, Save, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useRef } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { paths } from "@/components/paths";
import { Badge } from "@/components/ui/badge";
import { Button, buttonClass } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { MAX_CONFIG_BYTES } from "@/server/config/config.rules";
import { useConfig } from "./config-state";
import { downloadText, readTextFile } from "./text-file";

/** Name of the page, the revision that counts now, what is wrong, and the save. */
export function ConfigHeader() {
  const { t } = useI18n();
  const { current, draft, evaluation, isOutdated, isEditing, openSave } = useConfig();
  const errors = evaluation?.problems.filter((problem) => problem.severity === "error").length ?? 0;
  const warnings = (evaluation?.problems.length ?? 0) - errors;
  const refusal =
    draft === null ? t("config.nothingChanged") : errors > 0 && !isOutdated ? t("config.mendFirst", { count: errors }) : null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h1 className="font-semibold text-xl tracking-tight">{t("config.title")}</h1>
      <p className="min-w-0 break-words text-ink-faint">
        <Link href={paths.configRevision(current.number)} className="underline-offset-2 hover:underline">
          {t("config.revisionBy", { number: current.number, author: current.author })}
        </Link>{" "}
        <RelativeTime value={current.createdAt} />
      </p>
      {errors > 0 && (
        <ProblemsLink tone="danger" icon={<CircleX aria-hidden className="size-3.5" />}>
          {t("config.errors", { count: errors })}
        </ProblemsLink>
      )}
      {warnings > 0 && (
        <ProblemsLink tone="warning" icon={<TriangleAlert aria-hidden className="size-3.5" />}>
          {t("config.warnings", { count: warnings })}
        </ProblemsLink>
      )}
      <div className="ml-auto flex items-center gap-2">
        <FileMenu />
        <Button
          variant="primary"
          icon={<Save aria-hidden className="size-4" />}
          disabledReason={refusal}
          pending={isEditing || (draft !== null && isOutdated)}
          onClick={openSave}
        >
          {t("config.save")}
        </Button>
      </div>
    </div>
  );
}

function ProblemsLink({ tone, icon, children }: { tone: "danger" | "warning"; icon: ReactNode; children: ReactNode }) {
  return (
    <Link href={paths.config("yaml")} className="rounded-full">
      <Badge tone={tone} icon={icon}>
        {children}
      </Badge>
    </Link>
  );
}

/** The document as a file: out of the page, and into the draft. */
function FileMenu() {
  const { t, formatBytes } = useI18n();
  const { current, draft, text, replace } = useConfig();
  const chooser = useRef<HTMLInputElement>(null);
  const take = async (file: File) => {
    const read = await readTextFile(file);
    if (read.kind === "text") {
      replace(read.text);
      toast.success(t("config.fileLoaded", { name: file.name }));
    } else {
      toast.error(t(`config.fileRefused.${read.kind}`, { name: file.name, limit: formatBytes(MAX_CONFIG_BYTES) }));
    }
  };
  return (
    <>
      <Menu
        label={t("config.fileMenu")}
        trigger={<Ellipsis aria-hidden className="size-4" />}
        triggerClassName={buttonClass("secondary", "md", "w-9 px-0! touch:w-11")}
        actions={[
          {
            key: "download",
            label: t(draft === null ? "config.download" : "config.downloadDraft"),
            icon: <FileDown aria-hidden className="size-4" />,
            onSelect: () => downloadText(`switchyard-${draft === null ? `revision-${current.number}` : "draft"}.yaml`, text),
          },
          {
            key: "load",
            label: t("config.load"),
            icon: <FileUp aria-hidden className="size-4" />,
            onSelect: () => chooser.current?.click(),
          },
        ]}
      />
      <input
        ref={chooser}
        type="file"
        accept=".yaml,.yml,.json,text/yaml,text/plain"
        tabIndex={-1}
        aria-label={t("config.load")}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) void take(file);
          // The same file may be chosen again after it was mended.
          event.target.value = "";
        }}
      />
    </>
  );
}
