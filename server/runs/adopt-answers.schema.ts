import { z } from "zod";
import { failureKindSchema } from "@/server/artifacts/failure-kind.schema";
import { tokenUsageSchema } from "@/server/artifacts/result-artifact.schema";
import { LONGEST_SOURCE, MOST_ANSWERS } from "./adopted-answer.rules";

const word = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((value) => !/\p{Cc}/u.test(value), "must be one line without control characters");

/** One answer that was made elsewhere. Everything beside `id` is as its maker told it; what nobody told is left out. */
export const madeAnswerSchema = z
  .strictObject({
    /** `task/date/chunk-0001`, the name an export gave it, or the id of one of this run's requests. */
    id: z.string().min(1).max(400),
    /** What the model wrote, as it wrote it. */
    text: z.string().optional(),
    /** There is no answer, or none that was finished. */
    error: z.strictObject({ message: z.string().min(1).max(4_000), failureKind: failureKindSchema.optional() }).optional(),
    backend: word(200).optional(),
    model: word(200).optional(),
    finishReason: word(60).optional(),
    usage: tokenUsageSchema.optional(),
    timingMs: z.number().min(0).optional(),
    /** The SHA-256 of the request that was answered; another one than the chunk's is refused. */
    requestSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in lower-case hex")
      .optional(),
    /** What its maker calls the request. That of an attempt of this run says that the answer came from here. */
    requestId: word(200).optional(),
    /** Where it comes from, for people: a file's name and a line. */
    source: word(LONGEST_SOURCE).optional(),
  })
  .refine(({ text, error }) => text !== undefined || error !== undefined, "holds neither the text of an answer nor an error");
export type MadeAnswer = z.infer<typeof madeAnswerSchema>;

/** The body of `POST /api/v1/runs/{id}/answers`. */
export const adoptInputSchema = z.strictObject({ answers: z.array(madeAnswerSchema).min(1).max(MOST_ANSWERS) });

const told = { id: z.string(), source: z.string().nullable() };

/** What became of the answers: each is counted or listed once. `repaired` are among the adopted. */
export const adoptOutcomeSchema = z.object({
  /** Accepted: their chunks have succeeded. */
  adopted: z.int(),
  repaired: z.int(),
  /** Not what was asked for, or cut: recorded as failed attempts. */
  invalid: z.int(),
  /** Answers that told an error: recorded as failed attempts. */
  failed: z.int(),
  /** Nothing to do. */
  skipped: z.array(z.object({ ...told, chunk: z.int(), reason: z.string() })),
  /** Cannot be taken, with a sentence each. */
  problems: z.array(z.object({ ...told, problem: z.string() })),
});
export type AdoptOutcome = z.infer<typeof adoptOutcomeSchema>;
