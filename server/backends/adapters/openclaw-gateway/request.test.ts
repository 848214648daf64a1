import { expect, it } from "vitest";
import { messageOf, modelParams } from "./request";

it.each([
  ["default", {}],
  ["sonnet", { model: "sonnet" }],
  ["minimax/MiniMax-M3", { provider: "minimax", model: "MiniMax-M3" }],
  ["openrouter/openai/gpt-5", { provider: "openrouter", model: "openai/gpt-5" }],
  ["/odd", { model: "/odd" }],
])("the model %s is named as %j", (model, params) => {
  expect(modelParams(model)).toEqual(params);
});

it("a message never begins with what a text begins with: a slash would be a command", () => {
  expect(messageOf({ system: "", user: "/new" })).toBe("Input:\n/new");
  expect(messageOf({ system: "/reset", user: "hi" })).toBe("Instructions:\n/reset\n\nInput:\nhi");
});
