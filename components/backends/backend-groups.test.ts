import { describe, expect, it } from "vitest";
import { buildBackendProvider, buildBackendRow } from "@/server/testing/build-backend";
import { groupBackends, matchesFilters, providerStatus } from "./backend-groups";

describe("a search", () => {
  const row = buildBackendRow({
    profile: "openai-chat",
    providers: [
      buildBackendProvider({ name: "loop", baseUrl: "http://10.0.0.1:7401/v1", models: ["Fast-1"], scenes: ["planner"] }),
    ],
  });
  it.each(["OPENAI", "loop", "10.0.0.1", "fast-1", "planner", "  mock  "])("finds it by %o", (q) => {
    expect(matchesFilters(row, { q, status: [] })).toBe(true);
  });
  it("does not find it by something else, nor in another state", () => {
    expect(matchesFilters(row, { q: "ollama", status: [] })).toBe(false);
    expect(matchesFilters(row, { q: "loop", status: ["healthy"] })).toBe(false);
    expect(matchesFilters(row, { q: "loop", status: ["healthy", "unknown"] })).toBe(true);
  });
});

it("groups keep the order of the server and leave nothing out", () => {
  const statuses = ["healthy", "not_configured", "secret_missing", "unknown"] as const;
  const groups = groupBackends(statuses.map((status) => buildBackendRow({ profile: status, status })));
  const names = (rows: { profile: string }[]) => rows.map(({ profile }) => profile);
  expect([names(groups.configured), names(groups.notConfigured)]).toEqual([
    ["healthy", "secret_missing", "unknown"],
    ["not_configured"],
  ]);
});

describe("the state of a provider", () => {
  const health = {
    state: "healthy",
    reason: "",
    model: "m",
    latencyMs: 1,
    checkedAt: "2026-11-30T10:00:00.000Z",
    by: "operator",
  } as const;
  const cooldown = {
    provider: "loop",
    model: "a",
    failureKind: "backend-timeout",
    reason: "",
    failures: 3,
    since: "2026-11-30T10:00:00.000Z",
    until: "2026-11-30T10:01:00.000Z",
  } as const;
  const secret = (state: "set" | "empty" | "stray_whitespace") => [{ name: "apiKey", reference: "env:K", state }];

  it("is unknown while nobody has checked it", () => {
    expect(providerStatus(buildBackendProvider())).toBe("unknown");
    expect(providerStatus(buildBackendProvider({ secrets: secret("set") }))).toBe("unknown");
  });
  it("is that of its last check, unless a model cools down or a key cannot be used", () => {
    expect(providerStatus(buildBackendProvider({ health, secrets: secret("stray_whitespace") }))).toBe("healthy");
    expect(providerStatus(buildBackendProvider({ health, cooldowns: [cooldown] }))).toBe("degraded");
    expect(providerStatus(buildBackendProvider({ health, cooldowns: [cooldown], secrets: secret("empty") }))).toBe(
      "secret_missing",
    );
  });
});
