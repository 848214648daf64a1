import { z } from "zod";
import { BackendError } from "@/server/backends/backend";
import { type HttpAnswer, readBeginning } from "@/server/backends/transport/http-sse";
import { ERROR_BODY_LENGTH, type FailureContext, failureOfStatus } from "./failure";

/** Characters of a list of models that are read. */
const MODELS_BODY_LENGTH = 4 * 1024 * 1024;

/** `GET /models`, whole or one page of it. */
const modelPageSchema = z.object({
  data: z.array(z.object({ id: z.string().min(1).max(300) })).max(20_000),
  has_more: z.boolean().nullish().catch(null),
  last_id: z.string().min(1).max(300).nullish().catch(null),
});

export interface ModelPage {
  models: string[];
  /** The model that the next page begins after; null = this is the last page. */
  after: string | null;
}

/** Null when the server has no such list. Throws a `BackendError` for any other answer that is none. */
export async function readModelPage(context: FailureContext, answer: HttpAnswer): Promise<ModelPage | null> {
  const body = await readBeginning(answer, MODELS_BODY_LENGTH);
  if (answer.status === 404 || answer.status === 405) return null;
  if (answer.status !== 200) throw failureOfStatus(context, { ...answer, body: body.slice(0, ERROR_BODY_LENGTH) });
  const page = modelPageSchema.safeParse(parseOrNull(body));
  if (!page.success) {
    throw new BackendError(
      "backend-protocol-error",
      `${context.providerName} answered with something that is no list of models.`,
    );
  }
  const { data, has_more: hasMore, last_id: last } = page.data;
  return { models: data.map(({ id }) => id), after: hasMore && last ? last : null };
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
