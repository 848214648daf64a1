"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { BreakableName } from "@/components/ui/breakable-name";
import { TONE_CLASS } from "@/components/ui/tone";
import { CAPABILITIES, type Capability } from "@/server/backends/capability.rules";
import type { BackendProvider, CapabilityCheck } from "@/server/runs/backend-view.schema";
import { checkVerdict } from "./evidence";
import { checkedMark, VERDICT_MARKS } from "./evidence-marks";

/** What the checks of the provider's models found, beside each other; one alone stands in the evidence already. */
export function CheckedModels({ provider }: { provider: BackendProvider }) {
  const { t } = useI18n();
  const checks = provider.capabilityChecks;
  if (checks.length < 2) return null;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard.
      tabIndex={0}
      aria-label={t("backends.checkedModelsOf", { provider: provider.name })}
      className="mt-3 overflow-x-auto rounded-md border border-line"
    >
      <table className="w-full min-w-112 table-fixed text-left text-xs">
        <thead className="bg-canvas text-ink-faint">
          <tr>
            <th scope="col" className="px-3 py-1.5 font-normal">
              {t("backends.checkedModel")}
            </th>
            {CAPABILITIES.map((capability) => (
              <th key={capability} scope="col" className="px-3 py-1.5 font-normal">
                {t(`backends.capability.${capability}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {checks.map((check) => (
            <tr key={check.model} className="align-top">
              <th scope="row" className="px-3 py-1.5 font-normal">
                <code className="break-words font-mono">
                  <BreakableName name={check.model} />
                </code>
                <span className="block text-ink-faint">
                  <RelativeTime value={check.at} />
                </span>
              </th>
              {CAPABILITIES.map((capability) => (
                <td key={capability} className="px-3 py-1.5">
                  <CheckedCell provider={provider} check={check} capability={capability} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface CheckedCellProps {
  provider: BackendProvider;
  check: CapabilityCheck;
  capability: Capability;
}

/** What was found; with the mark of the verdict when it is not as declared. */
function CheckedCell({ provider, check, capability }: CheckedCellProps) {
  const { t } = useI18n();
  const { icon: Icon, word } = checkedMark(check.findings[capability]);
  const { icon: Flag, tone, word: verdict } = VERDICT_MARKS.mismatch;
  const isMismatch = checkVerdict(provider, capability, check) === "mismatch";
  return (
    <span className={`inline-flex items-center gap-1.5 ${isMismatch ? `text-tone ${TONE_CLASS[tone]}` : ""}`}>
      {isMismatch ? (
        <Flag aria-label={t(verdict)} className="size-3.5 shrink-0" />
      ) : (
        <Icon aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      )}
      {t(word)}
    </span>
  );
}
