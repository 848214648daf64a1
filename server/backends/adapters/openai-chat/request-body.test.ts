import { expect, it } from "vitest";
import { chatTurn } from "@/server/testing/contract-chat-turn";
import { requestBody } from "./request-body";

it.each([
  ["https://api.openai.com/v1", "max_completion_tokens"],
  ["https://api.minimax.io/v1", "max_completion_tokens"],
  ["https://api.minimaxi.com/v1", "max_completion_tokens"],
  ["https://api.deepseek.com", "max_tokens"],
  ["https://openrouter.ai/api/v1", "max_tokens"],
  ["https://generativelanguage.googleapis.com/v1beta/openai", "max_tokens"],
  ["http://127.0.0.1:11434/v1", "max_tokens"],
  ["https://api.openai.com.evil.test/v1", "max_tokens"],
])("at %s the limit is called %s", (baseUrl, name) => {
  const body = requestBody(chatTurn(baseUrl, { generation: { maxTokens: 256 } }));
  expect(Object.entries(body).filter(([field]) => field.startsWith("max_"))).toEqual([[name, 256]]);
});

it.each([
  ["https://api.openai.com/v1", "gpt-6-luna", false],
  ["https://api.openai.com/v1", "gpt-4o-mini", true],
  ["https://openrouter.ai/api/v1", "openai/gpt-6-luna", true],
])("at %s a temperature for %s is sent: %s", (baseUrl, model, isSent) => {
  const body = requestBody(chatTurn(baseUrl, { model, generation: { temperature: 0, topP: 0.9 } }));
  expect([Object.hasOwn(body, "temperature"), Object.hasOwn(body, "top_p")]).toEqual([isSent, isSent]);
});

it("asks for no response format: DeepSeek would answer with nothing, MiniMax with 400", () => {
  const body = requestBody(chatTurn("https://api.deepseek.com", { expect: { format: "json", schema: { insights: "array" } } }));
  expect(body).not.toHaveProperty("response_format");
});
