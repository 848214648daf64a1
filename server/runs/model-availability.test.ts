import { expect, it } from "vitest";
import type { CandidateSnapshot } from "@/server/inference/routing";
import { availabilityOf } from "./model-availability";

const WELL: CandidateSnapshot = {
  id: "loop/fast",
  provider: "loop",
  model: "fast",
  scores: {},
  blockedBy: null,
  health: "healthy",
  healthReason: "",
  cooldown: null,
  isTested: false,
  inFlight: 0,
  limit: 1,
};
const COOLDOWN = { until: 1_000, asked: false, reason: "loop answered 503", failures: 3 };

it.each<[string, Partial<CandidateSnapshot>, Omit<ReturnType<typeof availabilityOf>, "reference">]>([
  ["is well", {}, { state: "healthy", reason: "", coolsUntil: null }],
  ["was not heard of", { health: "unknown" }, { state: "unknown", reason: "", coolsUntil: null }],
  [
    "refuses",
    { health: "unavailable", healthReason: "loop answered 401" },
    { state: "unavailable", reason: "loop answered 401", coolsUntil: null },
  ],
  [
    "cools down, whatever its check said",
    { health: "degraded", cooldown: COOLDOWN },
    { state: "cooling", reason: "loop answered 503", coolsUntil: "1970-01-01T00:00:01.000Z" },
  ],
  [
    "has no key, whatever else",
    { blockedBy: "env:KEY (apiKey) is missing.", cooldown: COOLDOWN },
    { state: "unavailable", reason: "env:KEY (apiKey) is missing.", coolsUntil: null },
  ],
])("a model that %s", (_what, part, availability) => {
  expect(availabilityOf({ ...WELL, ...part })).toEqual({ reference: "loop/fast", ...availability });
});
