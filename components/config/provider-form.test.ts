import { describe, expect, it } from "vitest";
import { editsOfChange, editsOfNew, formOfProfile, formOfProvider, problemsOfForm } from "./provider-form";
import { buildEvaluation, buildProviderRow } from "./testing-evaluation";

const [openai, anyServer] = buildEvaluation().profiles;
if (openai === undefined || anyServer === undefined) throw new Error("two profiles are there");

describe("a new provider", () => {
  it("starts from its profile: a free name, and where its key may be", () => {
    expect(formOfProfile(openai, ["openai"])).toMatchObject({
      name: "openai-2",
      profile: "openai",
      apiKey: "env:OPENAI_2_API_KEY",
      baseUrl: "",
    });
    expect(formOfProfile(anyServer, [])).toMatchObject({ name: "openai-chat", apiKey: "" });
  });

  it("is written with only what differs from its profile", () => {
    expect(editsOfNew(formOfProfile(openai, []))).toEqual([
      { path: ["providers", "openai"], value: { apiKey: "env:OPENAI_API_KEY" } },
    ]);
    const form = {
      ...formOfProfile(anyServer, []),
      name: "mine",
      baseUrl: " http://127.0.0.1:9/v1 ",
      requestMs: "5000",
      concurrency: "2",
    };
    expect(editsOfNew(form)).toEqual([
      {
        path: ["providers", "mine"],
        value: { profile: "openai-chat", baseUrl: "http://127.0.0.1:9/v1", concurrency: 2, timeouts: { requestMs: 5000 } },
      },
    ]);
  });

  it("is refused with a reason a field", () => {
    const form = { ...formOfProfile(anyServer, []), name: "a b", apiKey: "env:", concurrency: "0", idleMs: "1.5" };
    expect(problemsOfForm(form, anyServer, [])).toEqual({
      name: "bad_name",
      apiKey: "not_a_reference",
      baseUrl: "no_base_url",
      concurrency: "out_of_range",
      idleMs: "out_of_range",
    });
    expect(problemsOfForm(formOfProfile(openai, []), openai, ["openai"])).toEqual({ name: "name_taken" });
    expect(problemsOfForm(formOfProfile(openai, []), openai, [])).toEqual({});
  });
});

describe("a changed provider", () => {
  const before = formOfProvider(buildProviderRow());

  it("changes nothing that was not touched", () => {
    expect(editsOfChange(before, before)).toEqual([]);
  });

  it("is renamed first, and changed under its new name", () => {
    expect(editsOfChange({ ...before, name: " main ", connectMs: "900" }, before)).toEqual([
      { renameProvider: { from: "openai", to: "main" } },
      { path: ["providers", "main", "timeouts", "connectMs"], value: 900 },
    ]);
  });

  it("sets what was changed and removes what was emptied", () => {
    expect(editsOfChange({ ...before, apiKey: "file:/run/key", baseUrl: "", connectMs: "900", concurrency: "" }, before)).toEqual(
      [
        { path: ["providers", "openai", "baseUrl"] },
        { path: ["providers", "openai", "apiKey"], value: "file:/run/key" },
        { path: ["providers", "openai", "concurrency"] },
        { path: ["providers", "openai", "timeouts", "connectMs"], value: 900 },
      ],
    );
  });
});
