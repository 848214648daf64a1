/** Words of what requests have cost. */
export const costEnglish = {
  "cost.label": "Cost",
  "cost.unknown": "unknown",
  "cost.about": "Some of the tokens were estimated here, so it is about so much.",
  "cost.source.provider": "told by the provider",
  "cost.source.table": "by the price of {price}",
  "cost.source.in_process": "answered inside this server",
  "cost.none": "Nothing to be paid for: it is under way, or was refused before anything was answered.",
  "cost.reason.no_price": "no price of this model is known",
  "cost.reason.no_tokens": "nobody said how many tokens it took",
  "cost.reason.made_elsewhere": "made elsewhere, at a price that is not known here",
  "cost.unknownFor": "{count, plural, one {unknown for # request} other {unknown for # requests}}",
  "cost.unknownOf": "{reference}: {reason} ({count})",
  "cost.byNow":
    "By the prices of now (revision {revision} of the configuration), so that a corrected price corrects this too. Failed requests are paid for as well.",
  "cost.setPrice": "Set a price",
} as const;
