import { z } from "zod";
import { eventTypeSchema } from "@/server/events/event.schema";
import type { ChunkDetail } from "@/server/runs/run.schema";
import { createRunBodySchema, reasonInputSchema, retryInputSchema, runIdSchema } from "@/server/runs/run.schema";
import type { RunService } from "@/server/runs/run-service";
import { chunkStatusSchema, runStatusSchema } from "@/server/runs/run-state.schema";
import { AppError } from "@/server/shared/app-error";
import { parseInput } from "../error-mapping";
import { readBody, readJson } from "../request-guard";

export interface RestCall {
  runs: RunService;
  request: Request;
  query: URLSearchParams;
  params: Record<string, string>;
}

export interface RestRoute {
  method: "GET" | "POST";
  /** Below /api/v1, `:name` for a parameter. */
  path: string;
  handle(call: RestCall): Promise<Response>;
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** Limits larger than the maximum are clamped; anything that is no positive whole number is refused. */
function limitOf(otherwise: number, maximum: number) {
  return digits
    .pipe(z.number().min(1, "must be at least 1"))
    .default(otherwise)
    .transform((value) => Math.min(value, maximum));
}

/** Digits only: what JavaScript takes for a number besides (`1e3`, `0x10`, blanks) is a slip. */
const digits = z
  .string()
  .regex(/^\d{1,20}$/, "must be a whole number")
  .transform(Number);

const whole = (least: number) => digits.pipe(z.int("must be a whole number").min(least));

/** `?type=a,b` or `?type=a&type=b`. */
function listOf<T extends z.ZodType>(item: T) {
  return z.array(item).max(50).optional();
}

function queryOf<T extends z.ZodRawShape>(call: RestCall, shape: T): z.infer<z.ZodObject<T>> {
  const given: Record<string, unknown> = {};
  for (const key of new Set(call.query.keys())) {
    if (!Object.hasOwn(shape, key))
      throw new AppError(
        "invalid_input",
        `There is no parameter "${key.slice(0, 60)}" here; there are: ${Object.keys(shape).join(", ")}.`,
      );
    const values = call.query
      .getAll(key)
      .flatMap((value) => value.split(","))
      .filter((value) => value !== "");
    const isList = LIST_PARAMETERS.has(key);
    if (values.length > 0) given[key] = isList ? values : values.at(-1);
  }
  return parseInput(z.object(shape), given);
}

const LIST_PARAMETERS = new Set(["status", "type"]);

function idOf(call: RestCall): string {
  return call.params.id ?? "";
}

/** An empty body is an empty object: actions need none. */
async function optionalJson(request: Request): Promise<unknown> {
  const clone = request.clone();
  if ((await readBody(clone)).byteLength === 0) return {};
  return readJson(request);
}

function parsed(body: string | undefined): unknown {
  return body === undefined ? null : JSON.parse(body);
}

/** The artifacts as JSON, not as text in JSON; their exact bytes are under /artifacts. */
function chunkBody(chunk: ChunkDetail) {
  const accepted =
    chunk.attempts.find((attempt) => attempt.number === chunk.acceptedAttempt) ??
    chunk.attempts.findLast((attempt) => attempt.result !== null);
  return {
    ...chunk,
    request: parsed(chunk.request.body),
    requestArtifact: { id: chunk.request.id, sha256: chunk.request.sha256, bytes: chunk.request.bytes },
    result: parsed(accepted?.result?.body),
    attempts: chunk.attempts.map(({ result, ...attempt }) => ({
      ...attempt,
      result: parsed(result?.body),
      resultArtifact: result && { id: result.id, sha256: result.sha256, bytes: result.bytes },
    })),
  };
}

type RunActionName = "cancel" | "pause" | "resume" | "finish";

function actionRoute(action: RunActionName): RestRoute {
  return {
    method: "POST",
    path: `runs/:id/${action}`,
    async handle(call) {
      const { reason } = parseInput(reasonInputSchema, await optionalJson(call.request));
      return json(await call.runs[action](idOf(call), reason));
    },
  };
}

/** Every route of the API. */
export const REST_ROUTES: readonly RestRoute[] = [
  {
    method: "GET",
    path: "runs",
    async handle(call) {
      const query = queryOf(call, {
        cursor: runIdSchema.optional(),
        limit: limitOf(50, 200),
        status: listOf(runStatusSchema),
        backend: z.string().max(64).optional(),
        search: z.string().max(200).optional(),
      });
      return json(await call.runs.list(query));
    },
  },
  {
    method: "POST",
    path: "runs",
    async handle(call) {
      const body = parseInput(createRunBodySchema, await readJson(call.request));
      const run = await call.runs.create(body);
      return json(run, 201, { location: `/api/v1/runs/${run.id}` });
    },
  },
  { method: "GET", path: "runs/:id", handle: async (call) => json(await call.runs.get(idOf(call))) },
  {
    method: "GET",
    path: "runs/:id/chunks",
    async handle(call) {
      const query = queryOf(call, {
        afterIndex: whole(0).default(0),
        limit: limitOf(200, 1_000),
        status: listOf(chunkStatusSchema),
      });
      return json(await call.runs.chunks(idOf(call), query));
    },
  },
  {
    method: "GET",
    path: "runs/:id/chunks/:index",
    async handle(call) {
      const index = whole(1).safeParse(call.params.index);
      if (!index.success)
        throw new AppError(
          "invalid_input",
          `"${(call.params.index ?? "").slice(0, 40)}" is not the index of a chunk; indexes are whole numbers from 1.`,
        );
      return json(chunkBody(await call.runs.chunk(idOf(call), index.data)));
    },
  },
  {
    method: "GET",
    path: "runs/:id/events",
    async handle(call) {
      const query = queryOf(call, {
        afterSeq: whole(0).default(0),
        limit: limitOf(100, 500),
        type: listOf(eventTypeSchema),
        chunk: whole(1).optional(),
      });
      const page = await call.runs.events(idOf(call), {
        afterSeq: query.afterSeq,
        limit: query.limit,
        types: query.type,
        chunk: query.chunk,
      });
      return json({ items: page.items, nextAfterSeq: page.nextAfterSeq, hasMore: page.hasMore });
    },
  },
  { method: "GET", path: "runs/:id/insights", handle: async (call) => json(await call.runs.insights(idOf(call))) },
  {
    method: "GET",
    path: "runs/:id/staged.md",
    async handle(call) {
      const markdown = await call.runs.stagedMarkdown(idOf(call));
      if (markdown === null) throw new AppError("not_found", "Nothing is staged yet: the run has not been consolidated.");
      return download(markdown, "text/markdown; charset=utf-8", `${idOf(call)}.md`);
    },
  },
  {
    method: "GET",
    path: "runs/:id/artifacts/:artifactId",
    async handle(call) {
      const artifact = await call.runs.artifact(idOf(call), call.params.artifactId ?? "");
      const isJson = /^(request|result|late-result|manifest|staged-json|event-payload)$/.test(artifact.kind);
      return download(
        artifact.body,
        isJson ? "application/json; charset=utf-8" : "text/plain; charset=utf-8",
        `${artifact.kind}-${artifact.id}.${isJson ? "json" : "txt"}`,
      );
    },
  },
  {
    method: "POST",
    path: "runs/:id/retry",
    async handle(call) {
      const { chunks } = parseInput(retryInputSchema, await optionalJson(call.request));
      return json(await call.runs.retry(idOf(call), chunks));
    },
  },
  ...(["cancel", "pause", "resume", "finish"] as const).map(actionRoute),
  { method: "GET", path: "backends", handle: async (call) => json({ items: call.runs.backends() }) },
];

function download(body: string, type: string, name: string): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
