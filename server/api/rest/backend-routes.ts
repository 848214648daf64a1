import { z } from "zod";
import { checkOrderSchema } from "@/server/runs/backend-view.schema";
import { parseInput } from "../error-mapping";
import { readJson } from "../request-guard";
import { json, optionalJson, type RestRoute } from "./rest-route";

const clearInput = z.strictObject({ provider: z.string().min(1).max(64), model: z.string().min(1).max(300) });

/** Profiles with the providers that use them, their health and cooldowns. */
export const BACKEND_ROUTES: readonly RestRoute[] = [
  { method: "GET", path: "backends", handle: async (call) => json(await call.backends.list()) },
  { method: "GET", path: "backends/:profile", handle: async (call) => json(await call.backends.get(call.params.profile ?? "")) },
  {
    method: "POST",
    path: "providers/:provider/check",
    async handle(call) {
      const order = parseInput(checkOrderSchema, await optionalJson(call.request));
      return json(await call.backends.check(call.params.provider ?? "", order));
    },
  },
  { method: "GET", path: "cooldowns", handle: async (call) => json({ items: await call.backends.cooldowns() }) },
  {
    method: "POST",
    path: "cooldowns/clear",
    async handle(call) {
      const { provider, model } = parseInput(clearInput, await readJson(call.request));
      return json({ cleared: await call.backends.clearCooldown(provider, model) });
    },
  },
];
