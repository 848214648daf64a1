/** The three samples of the XKB adapter specification v0, word for word: what other programs write must pass. */
import { expect, it } from "vitest";
import { requestArtifactSchema } from "./request-artifact.schema";
import { resultArtifactSchema } from "./result-artifact.schema";

const REQUEST = `{ "version": "xkb.infer.v1", "task": "memory_distill_extract", "source_date": "2026-04-19", "chunk_index": 1, "input": { "system": "system prompt...", "user": "user prompt..." }, "expect": { "format": "json", "schema": { "insights": "array" } }, "meta": { "runtime_dir": "...", "created_at": "2026-04-21T00:00:00Z" } }`;
const OK = `{ "version": "xkb.result.v1", "ok": true, "backend": "openclaw-auth", "model": "openai-codex/gpt-5.4", "source_date": "2026-04-19", "chunk_index": 1, "output": { "insights": [] }, "raw_text": "{\\"insights\\":[]}", "timing_ms": 18420, "finished_at": "2026-04-21T00:00:00Z" }`;
const FAILED = `{ "version": "xkb.result.v1", "ok": false, "backend": "openclaw-auth", "model": "openai-codex/gpt-5.4", "source_date": "2026-04-19", "chunk_index": 1, "error": { "type": "timeout", "message": "openclaw model run timed out after 60s" }, "finished_at": "2026-04-21T00:00:00Z" }`;

it("takes the request as it stands, and keeps what it does not know", () => {
  const given: unknown = JSON.parse(REQUEST);
  expect(requestArtifactSchema.parse(given)).toEqual(given);
  expect(requestArtifactSchema.parse({ ...(given as object), later: { field: 1 } })).toMatchObject({ later: { field: 1 } });
});

it.each([
  ["ok", OK],
  ["failed", FAILED],
])("takes the %s result as it stands", (_what, text) => {
  const given: unknown = JSON.parse(text);
  expect(resultArtifactSchema.parse(given)).toEqual(given);
});
