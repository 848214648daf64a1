import { z } from "zod";

export const CONFIDENCES = ["high", "medium", "low"] as const;

/**
 * One distilled statement as a backend returns it inside `output.insights`. `quote` is the passage of the chunk
 * it rests on, word for word; it is what lets a reader open the source. Lenient: models leave fields out.
 */
export const insightSchema = z.object({
  topic: z.string().max(200).nullish(),
  section: z.string().max(80).nullish(),
  content: z.string().trim().min(1).max(4000),
  confidence: z.enum(CONFIDENCES).nullish().catch(null),
  date: z.string().max(40).nullish(),
  quote: z.string().max(8000).nullish(),
});

export type Insight = z.infer<typeof insightSchema>;
