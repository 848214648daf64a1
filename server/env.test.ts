import { describe, expect, it } from "vitest";
import { loadEnv } from "./env";

describe("loadEnv", () => {
  it("has defaults for everything", () => {
    expect(loadEnv({})).toEqual({
      PORT: 4310,
      SWITCHYARD_DATA_DIR: "./data",
      HOST: "127.0.0.1",
      SWITCHYARD_CONFIG: undefined,
      SWITCHYARD_CHECK_MINUTES: 10,
      LLM_API_URL: undefined,
      LLM_API_KEY: undefined,
      LLM_MODEL: undefined,
      LLM_CONCURRENCY: 64,
      LOG_LEVEL: "info",
      NODE_ENV: "development",
    });
  });

  it("trims values and takes blank ones for unset", () => {
    const env = loadEnv({ PORT: " 8080 ", HOST: "", LLM_MODEL: "  ", LLM_API_URL: " https://api.test/v1 ", LLM_API_KEY: " k " });
    expect(env).toMatchObject({ PORT: 8080, HOST: "127.0.0.1", LLM_API_URL: "https://api.test/v1", LLM_API_KEY: "set" });
    expect(env.LLM_MODEL).toBeUndefined();
  });

  it("never holds the key and cannot be changed", () => {
    const env = loadEnv({ LLM_API_KEY: "sk-canary-7f3a9b2c4d5e6f70" });
    expect(JSON.stringify(env)).not.toContain("canary");
    expect(Object.isFrozen(env)).toBe(true);
  });

  it("lists every problem at once", () => {
    expect(() => loadEnv({ PORT: "80x", HOST: "0.0.0.0", LOG_LEVEL: "loud" })).toThrow(
      /^The environment is not usable:\n {2}PORT must be a port number from 0 to 65535, not "80x"\n {2}HOST must be 127\.0\.0\.1, ::1 or localhost: Switchyard has no sign-in.*\n {2}LOG_LEVEL /,
    );
  });

  it.each(["70000", "-1", "1.5", "0x50"])("refuses port %s", (port) => {
    expect(() => loadEnv({ PORT: port })).toThrow("PORT must be a port number");
  });

  it.each(["127.0.0.1", "::1", "localhost"])("listens on %s", (host) => {
    expect(loadEnv({ HOST: host }).HOST).toBe(host);
  });
});
