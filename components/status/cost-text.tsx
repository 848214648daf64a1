"use client";

import Link from "next/link";
import { type I18n, useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import type { Cost, CostTotal } from "@/server/runs/cost.schema";

type Words = Pick<I18n, "t" | "formatMoney" | "formatNumber">;

/** `≈ US$0.0034`; one that is not known is never 0. */
export function moneyText({ formatMoney }: Pick<Words, "formatMoney">, { amount, currency, about }: Known): string {
  return `${about ? "≈ " : ""}${formatMoney(amount, currency)}`;
}

type Known = Pick<CostTotal["known"][number], "amount" | "currency" | "about">;

/** What is known of a sum, by currency; `unknown` when nothing is; a dash when there was nothing to be paid for. */
export function totalText(words: Words, { known, unknownAttempts }: CostTotal): string {
  if (known.length > 0) return known.map((each) => moneyText(words, each)).join(" + ");
  return words.t(unknownAttempts > 0 ? "cost.unknown" : "common.none");
}

/** By which prices, and whose cost is missing, one a line. */
export function totalTitle({ t, formatNumber }: Words, { known, unknown, revision }: CostTotal): string {
  return [
    ...(known.some(({ about }) => about) ? [t("cost.about")] : []),
    t("cost.byNow", { revision: formatNumber(revision) }),
    ...unknown.map(({ reference, reason, attempts }) =>
      t("cost.unknownOf", { reference, reason: t(`cost.reason.${reason}`), count: formatNumber(attempts) }),
    ),
  ].join("\n");
}

/** A sum on one line; how much of it is missing stands beside it. */
export function CostTotalText({ cost }: { cost: CostTotal }) {
  const i18n = useI18n();
  const isPart = cost.known.length > 0 && cost.unknownAttempts > 0;
  return (
    <span title={totalTitle(i18n, cost)} className="tabular-nums">
      {totalText(i18n, cost)}
      {isPart && <span className="text-ink-faint"> + {i18n.t("cost.unknownFor", { count: cost.unknownAttempts })}</span>}
    </span>
  );
}

/** A sum in a table: what is missing stands below it. */
export function CostCell({ cost }: { cost: CostTotal }) {
  const i18n = useI18n();
  return (
    <span title={totalTitle(i18n, cost)}>
      {totalText(i18n, cost)}
      {cost.known.length > 0 && cost.unknownAttempts > 0 && (
        <span className="block text-ink-faint text-xs">+ {i18n.t("cost.unknownFor", { count: cost.unknownAttempts })}</span>
      )}
    </span>
  );
}

/** A sum among other facts of a run; nothing while there was nothing to be paid for. */
export function HeaderCost({ cost }: { cost: CostTotal }) {
  const { t } = useI18n();
  if (cost.known.length === 0 && cost.unknownAttempts === 0) return null;
  return (
    <span>
      {t("cost.label")}: <CostTotalText cost={cost} />
    </span>
  );
}

/** A sum with all that is to be known of it: what is missing, why, and where to set it right. */
export function CostTotalFacts({ cost }: { cost: CostTotal }) {
  const { t, formatNumber } = useI18n();
  return (
    <>
      <CostTotalText cost={cost} />
      {cost.unknown.map(({ reference, reason, attempts }) => (
        <span key={`${reference} ${reason}`} className="block break-words text-ink-faint text-xs">
          {t("cost.unknownOf", { reference, reason: t(`cost.reason.${reason}`), count: formatNumber(attempts) })}
        </span>
      ))}
      {cost.unknown.some(({ reason }) => reason === "no_price") && <SetPrice />}
    </>
  );
}

/** What one request has cost, and who says so. */
export function CostText({ cost }: { cost: Cost }) {
  const i18n = useI18n();
  const { t } = i18n;
  switch (cost.state) {
    case "none":
      return <span title={t("cost.none")}>{t("common.none")}</span>;
    case "unknown":
      return (
        <>
          {t("cost.unknown")}
          <span className="block text-ink-faint text-xs">{t(`cost.reason.${cost.reason}`)}</span>
          {cost.reason === "no_price" && <SetPrice />}
        </>
      );
    case "known":
      return (
        <>
          <span title={cost.about ? t("cost.about") : undefined}>{moneyText(i18n, cost)}</span>
          <span className="block break-words text-ink-faint text-xs">
            {cost.source === "table" ? t("cost.source.table", { price: cost.price ?? "" }) : t(`cost.source.${cost.source}`)}
          </span>
        </>
      );
  }
}

function SetPrice() {
  const { t } = useI18n();
  return (
    <Link href={paths.config("prices")} className="block w-fit text-accent text-xs underline underline-offset-2">
      {t("cost.setPrice")}
    </Link>
  );
}
