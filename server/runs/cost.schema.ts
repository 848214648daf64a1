import { z } from "zod";

/**
 * `no_price`: no entry of the price table is for the model. `no_tokens`: nobody said how many tokens it was (called off, lost,
 * failed). `made_elsewhere`: an adopted answer was asked for by somebody else, at a price of theirs (batches cost less).
 */
export const unknownCostSchema = z.enum(["no_price", "no_tokens", "made_elsewhere"]);
export type UnknownCost = z.infer<typeof unknownCostSchema>;

const known = {
  /** Of the currency, not of its hundredths. */
  amount: z.number().min(0),
  /** ISO 4217. */
  currency: z.string(),
  /** Some of the tokens were estimated here. */
  about: z.boolean(),
};

/** What one request has cost, by the price table of now. What is not known is never 0. */
export const costSchema = z.discriminatedUnion("state", [
  z.object({
    state: z.literal("known"),
    ...known,
    /** The provider's own word, the price table, or a provider inside this server, which nobody is paid for. */
    source: z.enum(["provider", "table", "in_process"]),
    /** The entry of the table; null for the others. */
    price: z.string().nullable(),
  }),
  z.object({ state: z.literal("unknown"), reason: unknownCostSchema }),
  /** Nothing to be paid for: it is under way, or was refused before anything was answered. */
  z.object({ state: z.literal("none") }),
]);
export type Cost = z.infer<typeof costSchema>;

/** What several requests have cost together, failed ones included. */
export const costTotalSchema = z.object({
  /** By currency, nothing converted; empty while nothing is known. Not the whole as long as `unknown` names something. */
  known: z.array(z.object(known)),
  /** Whose cost is missing in it, the most frequent first. */
  unknown: z.array(z.object({ reference: z.string(), reason: unknownCostSchema, attempts: z.int() })),
  unknownAttempts: z.int(),
  /** The revision of the configuration whose prices these are: the newest. */
  revision: z.int(),
});
export type CostTotal = z.infer<typeof costTotalSchema>;
