"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { MOST_PRICE, PRICE_FIELDS, type PriceField } from "@/server/config/config.rules";
import type { ConfigEdit, PriceRow } from "@/server/runs/config-view.schema";
import { useConfig } from "./config-state";
import { editsOfPrice, emptyForm, formOfPrice, type PriceForm, type PriceProblem, problemsOfPrice } from "./price-form";

interface PriceDialogProps {
  /** The price that is changed; null for a new one. */
  price: PriceRow | null;
  /** Of a new one: what it is to be of; empty when that is not known yet. */
  reference: string;
  onClose: () => void;
}

const HINTS = {
  input: "configPrices.amountHint",
  cachedInput: "configPrices.emptyAsInput",
  cacheWrite: "configPrices.emptyAsInput",
  output: "configPrices.amountHint",
  reasoning: "configPrices.emptyAsOutput",
} as const satisfies Record<PriceField, string>;

/** One entry of the price table. */
export function PriceDialog({ price, reference, onClose }: PriceDialogProps) {
  const { t, formatNumber } = useI18n();
  const { evaluation, editAndWait } = useConfig();
  const [form, setForm] = useState<PriceForm>(() => (price === null ? emptyForm(reference) : formOfPrice(price)));
  const [isAsked, setIsAsked] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const taken = (evaluation?.prices ?? []).map((each) => each.reference).filter((each) => each !== price?.reference);
  const problems = problemsOfPrice(form, taken);
  const mutation = useMutation({
    mutationFn: async (edits: ConfigEdit[]) => (edits.length === 0 ? undefined : editAndWait(edits)),
    onSuccess: onClose,
  });
  const words = (problem: PriceProblem) => {
    switch (problem) {
      case "reference":
        return t("configPrices.referenceRule");
      case "taken":
        return t("configPrices.referenceTaken", { reference: form.reference.trim() });
      case "amount":
        return t("configPrices.amountRule", { most: formatNumber(MOST_PRICE) });
      case "missing":
        return t("configPrices.amountMissing");
      case "currency":
        return t("configPrices.currencyRule");
    }
  };
  const errorOf = (field: keyof PriceForm) => {
    const problem = problems[field];
    return isAsked && problem !== undefined ? words(problem) : null;
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    setIsAsked(true);
    const [wrong] = Object.keys(problems);
    if (wrong === undefined) return mutation.mutate(editsOfPrice(form, price));
    event.currentTarget.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus();
  };
  const isOfKnown = price === null && reference !== "";
  return (
    <Dialog
      open
      title={price === null ? t("configPrices.add") : t("configPrices.edit", { reference: price.reference })}
      description={t("configPrices.hint")}
      initialFocus={first}
      onOpenChange={(open) => !open && onClose()}
    >
      <form onSubmit={submit} className="space-y-4">
        <Field
          label={t("configPrices.reference")}
          hint={errorOf("reference") === null ? t("configPrices.referenceHint") : null}
          error={errorOf("reference")}
        >
          {(control) => (
            <Input
              {...control}
              ref={price === null && !isOfKnown ? first : undefined}
              name="reference"
              autoComplete="off"
              spellCheck={false}
              placeholder="provider/*"
              value={form.reference}
              onChange={(event) => setForm({ ...form, reference: event.target.value })}
              className="font-mono text-xs"
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          {PRICE_FIELDS.map((field) => (
            <Field
              key={field}
              label={t(`configPrices.${field}`)}
              hint={errorOf(field) === null ? t(HINTS[field]) : null}
              error={errorOf(field)}
            >
              {(control) => (
                <Input
                  {...control}
                  ref={field === "input" && (price !== null || isOfKnown) ? first : undefined}
                  name={field}
                  inputMode="decimal"
                  autoComplete="off"
                  value={form[field]}
                  onChange={(event) => setForm({ ...form, [field]: event.target.value })}
                />
              )}
            </Field>
          ))}
          <Field
            label={t("configPrices.currency")}
            hint={errorOf("currency") === null ? t("configPrices.currencyHint") : null}
            error={errorOf("currency")}
          >
            {(control) => (
              <Input
                {...control}
                name="currency"
                autoComplete="off"
                spellCheck={false}
                maxLength={3}
                value={form.currency}
                onChange={(event) => setForm({ ...form, currency: event.target.value.toUpperCase() })}
              />
            )}
          </Field>
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary" pending={mutation.isPending}>
            {t("configPrices.take")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
