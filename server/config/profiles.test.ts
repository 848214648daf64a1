import { describe, expect, it } from "vitest";
import { loadEnv } from "@/server/env";
import { profileSchema } from "./profile.schema";
import { builtInProfiles, defaultProfileName, profileProblems } from "./profiles";

const KEY = { LLM_API_KEY: "sk-canary-7f3a9b2c4d5e6f70" };

function names(source: Record<string, string>): string[] {
  return builtInProfiles(loadEnv(source)).map(({ name }) => name);
}

describe("the built-in profiles", () => {
  it("are two that need nothing when nothing is set", () => {
    expect(names({})).toEqual(["extractive", "mock"]);
    expect(defaultProfileName(loadEnv({}))).toBe("extractive");
    expect(profileProblems(loadEnv({}))).toEqual([]);
  });

  it.each([
    ["https://api.openai.com/v1", "llm-api", "gpt-4o-mini"],
    ["https://api.minimax.io/v1", "minimax-api", "MiniMax-M2"],
    ["https://eu.api.minimaxi.com/v1/", "minimax-api", "MiniMax-M2"],
    ["https://api.minimax.io.evil.test/v1", "llm-api", "default"],
    ["http://127.0.0.1:11434/v1", "llm-api", "default"],
  ])("gain %s as %s with model %s", (url, name, model) => {
    const env = loadEnv({ ...KEY, LLM_API_URL: url });
    const profile = builtInProfiles(env).find((candidate) => candidate.name === name);
    expect(profile).toMatchObject({
      kind: "openai-chat",
      defaultModel: model,
      baseUrl: url.replace(/\/$/, ""),
      secretRefs: { apiKey: "env:LLM_API_KEY" },
    });
    expect(defaultProfileName(env)).toBe(name);
    expect(profileProblems(env)).toEqual([]);
  });

  it("take LLM_MODEL for the HTTP profile", () => {
    const env = loadEnv({ ...KEY, LLM_API_URL: "https://api.minimax.io/v1", LLM_MODEL: "MiniMax-M3" });
    expect(builtInProfiles(env).at(-1)?.defaultModel).toBe("MiniMax-M3");
  });

  it("are valid and hold no secret", () => {
    const profiles = builtInProfiles(loadEnv({ ...KEY, LLM_API_URL: "https://api.minimax.io/v1" }));
    for (const profile of profiles) expect(profileSchema.parse(profile)).toEqual(profile);
    expect(JSON.stringify(profiles)).not.toContain("canary");
  });

  it.each<[Record<string, string>, string]>([
    [{ LLM_API_URL: "https://api.test/v1" }, "LLM_API_URL is set but LLM_API_KEY is not"],
    [KEY, "LLM_API_KEY is set but LLM_API_URL is not"],
    [{ ...KEY, LLM_API_URL: "not an address" }, "LLM_API_URL is not an http:// or https:// address"],
    [{ ...KEY, LLM_API_URL: "ftp://api.test/v1" }, "LLM_API_URL is not an http:// or https:// address"],
    [{ ...KEY, LLM_API_URL: "https://user:canary@api.test/v1" }, "LLM_API_URL holds a user name or password"],
    [{ ...KEY, LLM_API_URL: "https://api.test/v1?key=canary" }, "LLM_API_URL holds a query or a fragment"],
  ])("leave out a half-made one and say why (%#)", (source, problem) => {
    expect(names(source)).toEqual(["extractive", "mock"]);
    const env = loadEnv(source);
    expect(defaultProfileName(env)).toBe("extractive");
    expect(profileProblems(env)).toHaveLength(1);
    expect(profileProblems(env)[0]).toContain(problem);
    expect(profileProblems(env)[0]).not.toContain("canary");
  });

  it("warn of a key sent without encryption, but not on private networks", () => {
    const at = (url: string) => profileProblems(loadEnv({ ...KEY, LLM_API_URL: url }));
    expect(at("http://api.test/v1")).toEqual([
      "LLM_API_URL sends the key to api.test without encryption. Use https:// unless this is meant.",
    ]);
    for (const host of ["localhost:1", "10.0.0.8", "192.168.1.2", "172.16.0.1", "ollama", "[::1]:1"])
      expect(at(`http://${host}/v1`)).toEqual([]);
  });
});
