import { z } from "zod";
import { configNameSchema, configTextSchema, rollbackInputSchema, saveConfigInputSchema } from "@/server/runs/config-view.schema";
import { AppError } from "@/server/shared/app-error";
import { parseInput } from "../error-mapping";
import { readJson } from "../request-guard";
import { download, json, limitOf, queryOf, type RestCall, type RestRoute, whole } from "./rest-route";

const draftInput = z.strictObject({ text: configTextSchema });
const testInput = z.union([
  z.strictObject({ scene: configNameSchema }),
  z.strictObject({ reference: z.string().min(3).max(300) }),
]);

function numberOf(call: RestCall): number {
  const number = whole(1).safeParse(call.params.number);
  if (number.success) return number.data;
  throw new AppError(
    "invalid_input",
    `"${(call.params.number ?? "").slice(0, 40)}" is not a revision; revisions are whole numbers from 1.`,
  );
}

/** The configuration document; keys are references everywhere. */
export const CONFIG_ROUTES: readonly RestRoute[] = [
  { method: "GET", path: "config", handle: async (call) => json(await call.config.current()) },
  {
    method: "PUT",
    path: "config",
    async handle(call) {
      const input = parseInput(saveConfigInputSchema, await readJson(call.request));
      return json(await call.config.save(input, "api"));
    },
  },
  {
    method: "GET",
    path: "config/local-servers",
    handle: async (call) => json({ items: await call.config.localServers(call.request.signal) }),
  },
  {
    method: "GET",
    path: "config/yaml",
    async handle(call) {
      const { number, text } = await call.config.current();
      return download(text, "application/yaml; charset=utf-8", `switchyard-config-${number}.yaml`);
    },
  },
  {
    method: "GET",
    path: "config/revisions",
    async handle(call) {
      const { before, limit } = queryOf(call, { before: whole(1).optional(), limit: limitOf(50, 200) });
      return json(await call.config.revisions({ before, limit }));
    },
  },
  { method: "GET", path: "config/revisions/:number", handle: async (call) => json(await call.config.revision(numberOf(call))) },
  {
    method: "POST",
    path: "config/rollback",
    handle: async (call) => json(await call.config.rollback(parseInput(rollbackInputSchema, await readJson(call.request)))),
  },
  {
    method: "POST",
    path: "config/check",
    handle: async (call) => json(await call.config.evaluate(parseInput(draftInput, await readJson(call.request)))),
  },
  {
    method: "POST",
    path: "config/impact",
    handle: async (call) => json(await call.config.impact(parseInput(draftInput, await readJson(call.request)).text)),
  },
  {
    method: "GET",
    path: "config/why/:scene",
    async handle(call) {
      const { revision } = queryOf(call, { revision: whole(1).optional() });
      return json(await call.config.why(parseInput(configNameSchema, call.params.scene), { revision }));
    },
  },
  {
    method: "POST",
    path: "config/test",
    async handle(call) {
      const target = parseInput(testInput, await readJson(call.request));
      return json(await call.config.test(target, {}, call.request.signal));
    },
  },
];
