"use client";

import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { BreakableName } from "@/components/ui/breakable-name";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";
import { PRICE_FIELDS, type PriceField } from "@/server/config/config.rules";
import type { PriceRow } from "@/server/runs/config-view.schema";
import { useConfig } from "./config-state";
import { PriceDialog } from "./price-dialog";
import { Unreadable } from "./unreadable";

type Opened = { kind: "add"; reference: string } | { kind: "edit" | "remove"; price: PriceRow };

/** What a part is billed as that has no price of its own. */
const BILLED_AS = {
  cachedInput: "configPrices.asInput",
  cacheWrite: "configPrices.asInput",
  reasoning: "configPrices.asOutput",
} as const satisfies Partial<Record<PriceField, string>>;

/** What a million tokens of each model cost, and of which models that is not known. */
export function PricesPage() {
  const { t } = useI18n();
  const { evaluation } = useConfig();
  const [opened, setOpened] = useState<Opened | null>(null);
  if (evaluation === undefined) {
    return (
      <div role="status" aria-label={t("common.loading")}>
        <Skeleton className="h-64" />
      </div>
    );
  }
  if (evaluation.scenes.length === 0) return <Unreadable />;
  const close = () => setOpened(null);
  return (
    <div className="space-y-4">
      <Panel
        title={t("configPrices.title")}
        hint={t("configPrices.hint")}
        flush
        actions={
          <Button
            size="sm"
            icon={<Plus aria-hidden className="size-3.5" />}
            onClick={() => setOpened({ kind: "add", reference: "" })}
          >
            {t("configPrices.add")}
          </Button>
        }
      >
        {evaluation.prices.length === 0 ? (
          <p className="px-4 py-6 text-center text-ink-soft">{t("configPrices.none")}</p>
        ) : (
          <PriceTable prices={evaluation.prices} onOpen={setOpened} />
        )}
        <p className="border-line border-t px-4 py-2 text-ink-faint text-xs">{t("configPrices.about")}</p>
      </Panel>
      {evaluation.unpriced.length > 0 && (
        <Panel title={t("configPrices.unpriced")} hint={t("configPrices.unpricedHint")} flush>
          <ul aria-label={t("configPrices.unpriced")} className="divide-y divide-line">
            {evaluation.unpriced.map((reference) => (
              <li key={reference} className="flex flex-wrap items-center gap-2 px-4 py-2">
                <code className="min-w-0 break-words font-mono text-xs">
                  <BreakableName name={reference} />
                </code>
                <Button
                  size="sm"
                  className="ml-auto"
                  aria-label={t("configPrices.addOf", { reference })}
                  icon={<Plus aria-hidden className="size-3.5" />}
                  onClick={() => setOpened({ kind: "add", reference })}
                >
                  {t("configPrices.add")}
                </Button>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {opened?.kind === "add" && <PriceDialog price={null} reference={opened.reference} onClose={close} />}
      {opened?.kind === "edit" && <PriceDialog price={opened.price} reference="" onClose={close} />}
      {opened?.kind === "remove" && <RemovePrice reference={opened.price.reference} onClose={close} />}
    </div>
  );
}

function RemovePrice({ reference, onClose }: { reference: string; onClose: () => void }) {
  const { t } = useI18n();
  const { edit } = useConfig();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("configPrices.remove", { reference })}
      description={t("configPrices.removeText")}
      confirmLabel={t("configPrices.removeShort")}
      danger
      onConfirm={() => {
        edit([{ path: ["prices", reference] }]);
        onClose();
      }}
    />
  );
}

const CELL = "whitespace-nowrap px-3 py-2 text-right tabular-nums";

function PriceTable({ prices, onOpen }: { prices: readonly PriceRow[]; onOpen: (opened: Opened) => void }) {
  const { t, formatList } = useI18n();
  const { isOutdated, isEditing } = useConfig();
  return (
    <div className="relative overflow-x-auto">
      <table aria-busy={isOutdated || isEditing} className="w-full text-sm">
        <thead>
          <tr className="border-line border-b text-ink-faint text-xs">
            <th scope="col" className="px-4 py-2 text-left font-medium">
              {t("configPrices.model")}
            </th>
            {PRICE_FIELDS.map((field) => (
              <th key={field} scope="col" className="whitespace-nowrap px-3 py-2 text-right font-medium">
                {t(`configPrices.${field}`)}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">{t("configPrices.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {prices.map((price) => (
            <tr key={price.reference} className="border-line border-b last:border-0">
              <th scope="row" className="min-w-40 px-4 py-2 text-left font-normal">
                <code className="break-words font-mono text-xs">
                  <BreakableName name={price.reference} />
                </code>
                <span className="block break-words text-ink-faint text-xs">
                  {price.models.length === 0
                    ? t("configPrices.ofNone")
                    : price.models.some((model) => model !== price.reference) &&
                      t("configPrices.of", { models: formatList(price.models) })}
                </span>
              </th>
              {PRICE_FIELDS.map((field) => (
                <td key={field} className={CELL}>
                  <Amount price={price} field={field} />
                </td>
              ))}
              <td className="whitespace-nowrap px-3 py-2 text-right">
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={t("configPrices.edit", { reference: price.reference })}
                  icon={<Pencil aria-hidden className="size-3.5" />}
                  onClick={() => onOpen({ kind: "edit", price })}
                />
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={t("configPrices.remove", { reference: price.reference })}
                  icon={<Trash2 aria-hidden className="size-3.5" />}
                  onClick={() => onOpen({ kind: "remove", price })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Amount({ price, field }: { price: PriceRow; field: PriceField }) {
  const { t, formatPrice } = useI18n();
  const amount = price[field];
  if (amount !== null) return formatPrice(amount, price.currency);
  return <span className="text-ink-faint">{field === "input" || field === "output" ? "" : t(BILLED_AS[field])}</span>;
}
