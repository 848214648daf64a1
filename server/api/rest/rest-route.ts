/** What every table of REST routes is written with. */
import { z } from "zod";
import type { AgentRunService } from "@/server/runs/agent-run-service";
import type { BackendService } from "@/server/runs/backend-service";
import type { BatchService } from "@/server/runs/batch-service";
import type { ConfigService } from "@/server/runs/config-service";
import type { RunService } from "@/server/runs/run-service";
import { AppError } from "@/server/shared/app-error";
import { parseInput } from "../error-mapping";
import { readBody, readJson } from "../request-guard";

export interface RestCall {
  runs: RunService;
  agents: AgentRunService;
  config: ConfigService;
  backends: BackendService;
  batches: BatchService;
  request: Request;
  query: URLSearchParams;
  params: Record<string, string>;
}

export interface RestRoute {
  method: "GET" | "POST" | "PUT";
  /** Below /api/v1, `:name` for a parameter. */
  path: string;
  handle(call: RestCall): Promise<Response>;
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** Limits larger than the maximum are clamped; anything that is no positive whole number is refused. */
export function limitOf(otherwise: number, maximum: number) {
  return digits
    .pipe(z.number().min(1, "must be at least 1"))
    .default(otherwise)
    .transform((value) => Math.min(value, maximum));
}

/** Digits only: what JavaScript takes for a number besides (`1e3`, `0x10`, blanks) is a slip. */
export const digits = z
  .string()
  .regex(/^\d{1,20}$/, "must be a whole number")
  .transform(Number);

export const whole = (least: number) => digits.pipe(z.int("must be a whole number").min(least));

/** `?type=a,b` or `?type=a&type=b`. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.array(item).max(50).optional();
}

export function queryOf<T extends z.ZodRawShape>(call: RestCall, shape: T): z.infer<z.ZodObject<T>> {
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

const LIST_PARAMETERS = new Set(["status", "type", "run"]);

export function idOf(call: RestCall): string {
  return call.params.id ?? "";
}

/** An empty body is an empty object: actions need none. */
export async function optionalJson(request: Request): Promise<unknown> {
  const clone = request.clone();
  if ((await readBody(clone)).byteLength === 0) return {};
  return readJson(request);
}

export function download(body: string, type: string, name: string): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
