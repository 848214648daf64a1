"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { LinkTabs } from "@/components/ui/tabs";

/** The kinds of runs that can be started, each on a page of its own. */
export function NewRunTabs({ current }: { current: "distill" | "agent" }) {
  const { t } = useI18n();
  return (
    <div className="border-line border-b">
      <LinkTabs
        label={t("newAgentRun.kinds")}
        tabs={[
          { href: paths.newRun(), label: t("newAgentRun.kind.distill"), current: current === "distill" },
          { href: paths.newAgentRun(), label: t("newAgentRun.kind.agent"), current: current === "agent" },
        ]}
      />
    </div>
  );
}
