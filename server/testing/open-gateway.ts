/** The OpenClaw adapter over the fake gateway; connections are looked for after the test whatever it did with the backend. */
import { expect, onTestFinished } from "vitest";
import { createOpenClawGatewayBackend, type OpenClawLimits } from "@/server/backends/adapters/openclaw-gateway/adapter";
import type { Turn } from "@/server/backends/backend";
import type { ProviderAccess } from "@/server/backends/provider-access";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { Secret } from "@/server/shared/secret";
import { buildSettings } from "./build-settings";
import { type FakeGatewayOptions, startFakeGateway } from "./fake-gateway";

export const CLAW_TOKEN = "claw-canary-1a2b3c4d5e6f7081";
/** What the fake gateway refuses. */
export const REFUSED_TOKEN = "claw-canary-refused-9f8e7d6c";

export interface OpenGatewayOptions {
  fake?: FakeGatewayOptions;
  limits?: Partial<OpenClawLimits>;
  settings?: Partial<ProviderSettings>;
}

export async function openGateway({ fake = {}, limits = {}, settings = {} }: OpenGatewayOptions = {}) {
  const gateway = await startFakeGateway({ refusedToken: REFUSED_TOKEN, ...fake });
  const backend = createOpenClawGatewayBackend(
    buildSettings("openclaw-auth", {
      name: "claw",
      baseUrl: gateway.baseUrl,
      secretRefs: { apiKey: "env:CLAW_TOKEN" },
      ...settings,
    }),
    limits,
  );
  onTestFinished(async () => {
    await backend.close();
    await gateway.until(() => gateway.openConnections === 0);
    expect(gateway.openConnections).toBe(0);
    await gateway.close();
  });
  const access = (token = CLAW_TOKEN): ProviderAccess => ({
    baseUrl: gateway.baseUrl,
    secrets: { apiKey: new Secret(token, "env:CLAW_TOKEN") },
  });
  let serial = 0;
  return {
    backend,
    gateway,
    access,
    /** A turn with an id of its own. */
    turn: (user: string, more: Partial<Turn> = {}): Turn => ({
      ...access(),
      requestId: `req_${++serial}`,
      model: "fake/m1",
      system: "Answer in JSON.",
      user,
      expect: { format: "json", schema: { insights: "array" } },
      generation: {},
      timeoutMs: 60_000,
      ...more,
    }),
  };
}
