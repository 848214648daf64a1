"use client";

import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { BreakableName } from "@/components/ui/breakable-name";

/** A document may have hundreds of scenes; so many are read at a glance. */
const SHOWN = 6;

/** The first few names in a line, the others on a press. */
export function NameList({ names }: { names: readonly string[] }) {
  const { t, formatList } = useI18n();
  const [isOpen, setIsOpen] = useState(false);
  const hidden = names.length - SHOWN;
  // One more is no longer than the words for it.
  const isShort = hidden <= 1;
  return (
    <span className="break-words">
      <BreakableName name={isShort || isOpen ? formatList(names) : names.slice(0, SHOWN).join(", ")} />
      {!isShort && (
        <button
          type="button"
          aria-expanded={isOpen}
          title={isOpen ? undefined : names.slice(SHOWN).join(", ")}
          onClick={() => setIsOpen(!isOpen)}
          className="ml-1.5 rounded-sm text-accent underline-offset-2 hover:underline touch:min-h-9"
        >
          {isOpen ? t("common.showFewer") : t("common.showMore", { count: hidden })}
        </button>
      )}
    </span>
  );
}
