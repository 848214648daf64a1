import { z } from "zod";
import { eventTypeSchema } from "@/server/events/event.schema";
import { adoptInputSchema } from "@/server/runs/adopt-answers.schema";
import { createAgentRunSchema } from "@/server/runs/agent-run.schema";
import type { ChunkDetail } from "@/server/runs/run.schema";
import {
  answerMarkSchema,
  chooseAnswerSchema,
  createRunBodySchema,
  reasonInputSchema,
  rerunInputSchema,
  retryInputSchema,
  runIdSchema,
} from "@/server/runs/run.schema";
import { chunkStatusSchema, runStatusSchema } from "@/server/runs/run-state.schema";
import { AppError } from "@/server/shared/app-error";
import { parseInput } from "../error-mapping";
import { readJson } from "../request-guard";
import { AGENT_ROUTES } from "./agent-routes";
import { BACKEND_ROUTES } from "./backend-routes";
import { BATCH_ROUTES } from "./batch-routes";
import { COMPARISON_ROUTES } from "./comparison-routes";
import { CONFIG_ROUTES } from "./config-routes";
import { download, idOf, json, limitOf, listOf, optionalJson, queryOf, type RestCall, type RestRoute, whole } from "./rest-route";

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

function chunkIndexOf(call: RestCall): number {
  const index = whole(1).safeParse(call.params.index);
  if (index.success) return index.data;
  throw new AppError(
    "invalid_input",
    `"${(call.params.index ?? "").slice(0, 40)}" is not the index of a chunk; indexes are whole numbers from 1.`,
  );
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
      const body = await readJson(call.request);
      const isThread = typeof body === "object" && body !== null && "kind" in body && body.kind === "thread";
      const run = isThread
        ? await call.agents.create(parseInput(createAgentRunSchema, body))
        : await call.runs.create(parseInput(createRunBodySchema, body));
      return json(run, 201, { location: `/api/v1/runs/${run.id}` });
    },
  },
  {
    method: "GET",
    path: "runs/:id",
    async handle(call) {
      const run = await call.runs.get(idOf(call));
      return json(run.kind === "thread" ? await call.agents.get(run.id) : run);
    },
  },
  {
    method: "GET",
    path: "runs/:id/chunks",
    async handle(call) {
      const query = queryOf(call, {
        afterIndex: whole(0).default(0),
        limit: limitOf(200, 1_000),
        status: listOf(chunkStatusSchema),
        mark: listOf(answerMarkSchema),
      });
      return json(await call.runs.chunks(idOf(call), query));
    },
  },
  {
    method: "GET",
    path: "runs/:id/chunks/:index",
    async handle(call) {
      return json(chunkBody(await call.runs.chunk(idOf(call), chunkIndexOf(call))));
    },
  },
  {
    method: "POST",
    path: "runs/:id/chunks/:index/answer",
    async handle(call) {
      const { attempt } = parseInput(chooseAnswerSchema, await readJson(call.request));
      return json(chunkBody(await call.runs.choose(idOf(call), chunkIndexOf(call), attempt)));
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
      return json(await call.runs.retry(idOf(call), parseInput(retryInputSchema, await optionalJson(call.request))));
    },
  },
  {
    method: "POST",
    path: "runs/:id/rerun",
    async handle(call) {
      const run = await call.runs.rerun(idOf(call), parseInput(rerunInputSchema, await optionalJson(call.request)));
      return json(run, 201, { location: `/api/v1/runs/${run.id}` });
    },
  },
  {
    method: "POST",
    path: "runs/:id/answers",
    async handle(call) {
      const { answers } = parseInput(adoptInputSchema, await readJson(call.request));
      return json(await call.runs.adopt(idOf(call), answers));
    },
  },
  ...(["cancel", "pause", "resume", "finish"] as const).map(actionRoute),
  ...AGENT_ROUTES,
  ...BACKEND_ROUTES,
  ...BATCH_ROUTES,
  ...COMPARISON_ROUTES,
  ...CONFIG_ROUTES,
];
