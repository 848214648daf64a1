import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { requestArtifactSchema } from "@/server/artifacts/request-artifact.schema";
import { manifestSchema } from "./manifest.schema";
import { planRun } from "./plan-run";

const DAY = "# Queue\n\nDecided: the worker renews its lease every third of its length. 决定：租约到期前续租。\n";

const plan = () =>
  planRun({
    documents: [{ name: "2026-04-19.md", text: DAY }],
    chunkTokens: 200,
    tokenizer: "pieces",
    tokenizerIsEstimate: true,
    knownSecrets: [],
    sourceDate: "2026-04-19",
    createdAt: Date.UTC(2026, 3, 20),
  });

it("makes one request a chunk, in the form other programs read", () => {
  const { chunks } = plan();
  expect(chunks).toHaveLength(1);
  const request = requestArtifactSchema.parse(JSON.parse(chunks[0]?.request.body ?? ""));
  expect(request).toMatchObject({ source_date: "2026-04-19", chunk_index: 1, meta: { created_at: "2026-04-20T00:00:00.000Z" } });
  expect(request.input.user).toContain("决定：租约到期前续租。");
  expect(chunks[0]).not.toHaveProperty("text");
});

it("says of every text how many UTF-8 bytes it has and what their hash is", () => {
  const { documents, manifest, cleaned, chunks } = plan();
  for (const { body, bytes, sha256 } of [...documents, manifest, cleaned, ...chunks.map(({ request }) => request)]) {
    expect(bytes).toBe(Buffer.byteLength(body));
    expect(sha256).toBe(createHash("sha256").update(body).digest("hex"));
  }
  expect(documents[0]?.body).toBe(DAY);
  expect(manifestSchema.parse(JSON.parse(manifest.body))).toMatchObject({ chunk_count: 1, cleaned_chars: cleaned.body.length });
});
