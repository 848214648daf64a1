import { describe, expect, it } from "vitest";
import { randomMarkdown } from "@/server/testing/random-markdown";
import { buildManifest } from "./manifest";
import { manifestSchema } from "./manifest.schema";
import { prepReportSchema, segmentSchema } from "./pipeline.schema";
import { type PrepareInput, prepare } from "./prepare";

const options = { chunkTokens: 1000, tokenizer: "pieces", tokenizerIsEstimate: true, knownSecrets: [] } as const;

function prepareText(text: string, more: Partial<PrepareInput> = {}) {
  return prepare({ documents: [{ name: "2026-04-19.md", text }], ...options, ...more });
}

describe("prepare", () => {
  it("normalises, masks, cleans and chunks a document", () => {
    const prepared = prepareText(
      "\uFEFF---\r\ntype: log\r\n---\r\n# Day\r\n- HEARTBEAT_OK\r\n- Decided: rotate API_KEY=Zx81kQ99TmLp0aVw monthly.\r\n",
    );
    expect(prepared.documents[0]?.text).toBe(
      "---\ntype: log\n---\n# Day\n- HEARTBEAT_OK\n- Decided: rotate API_KEY=[masked api-key] monthly.\n",
    );
    expect(prepared.cleaned).toBe("# Day\n- Decided: rotate API_KEY=[masked api-key] monthly.\n");
    expect(prepared.segments).toEqual([
      { cleanedStart: 0, document: 0, sourceStart: 18, length: 6 },
      { cleanedStart: 6, document: 0, sourceStart: 39, length: 52 },
    ]);
    expect(prepared.dropped).toEqual([
      { document: 0, start: 0, end: 18, reason: "front_matter", lines: 3 },
      { document: 0, start: 24, end: 39, reason: "heartbeat", lines: 1 },
    ]);
    expect(prepared.chunks).toEqual([
      { index: 1, document: 0, start: 0, end: 58, sourceStart: 18, sourceEnd: 91, tokens: 20, text: prepared.cleaned },
    ]);
    expect(prepared.report).toEqual({
      documents: [{ name: "2026-04-19.md", bytes: 91, characters: 91, lines: 6, sha256: prepared.documents[0]?.sha256 }],
      masked: [{ kind: "api-key", count: 1 }],
      dropped: [
        { reason: "heartbeat", lines: 1, characters: 15, samples: ["- HEARTBEAT_OK"] },
        { reason: "front_matter", lines: 3, characters: 18, samples: ["---"] },
      ],
      cleanedCharacters: 58,
      tokens: 20,
      tokenizer: "pieces",
      tokensEstimated: true,
      chunkTokens: 1000,
      chunks: 1,
    });
  });

  it("hashes the masked text in UTF-8", () => {
    expect(prepareText("规则\n").documents[0]?.sha256).toBe("aaa22e2deca6c8841a6875d7556a162b597595b7c9c5f00c1d284ef2fae08a38");
  });

  it("joins documents into one run, and no chunk crosses from one to the next", () => {
    const prepared = prepare({
      documents: [
        { name: "a.md", text: "HEARTBEAT_OK\nFirst." },
        { name: "b.md", text: "NO_REPLY\n" },
        { name: "c.md", text: "Third.\n" },
      ],
      ...options,
    });
    expect(prepared.cleaned).toBe("First.Third.\n");
    expect(
      prepared.chunks.map(({ index, document, start, end, sourceStart, sourceEnd, text }) => ({
        index,
        document,
        start,
        end,
        sourceStart,
        sourceEnd,
        text,
      })),
    ).toEqual([
      { index: 1, document: 0, start: 0, end: 6, sourceStart: 13, sourceEnd: 19, text: "First." },
      { index: 2, document: 2, start: 6, end: 13, sourceStart: 0, sourceEnd: 7, text: "Third.\n" },
    ]);
  });

  it.each(["", "\n\n", "HEARTBEAT_OK\n"])("makes no chunk of %j", (text) => {
    const prepared = prepareText(text);
    expect({
      cleaned: prepared.cleaned,
      chunks: prepared.chunks,
      segments: prepared.segments,
      tokens: prepared.report.tokens,
    }).toEqual({ cleaned: "", chunks: [], segments: [], tokens: 0 });
  });

  it("masks known secrets everywhere it answers", () => {
    const secret = "violet-Harbor-1907";
    const prepared = prepareText(`# ${secret}\n- HEARTBEAT_OK ${secret}\n\`\`\`\n${secret}\n\`\`\`\n`, {
      knownSecrets: [secret],
    });
    expect(JSON.stringify(prepared)).not.toContain(secret);
    expect(prepared.report.masked).toEqual([{ kind: "known-secret", count: 3 }]);
  });

  it("refuses a budget out of range, and a document with a NUL", () => {
    expect(() => prepareText("x", { chunkTokens: 10 })).toThrow("A chunk may have 50 to 200000 tokens, not 10.");
    expect(() => prepareText("a\0b")).toThrow("“2026-04-19.md” holds a NUL character at character offset 1");
  });

  it("keeps at most five samples of eighty characters a reason", () => {
    const { dropped } = prepareText(
      Array.from(
        { length: 9 },
        (_, index) => `Line ${index}.\n- [message_id: ${index}${"x".repeat(90)}]\n[message_id: ${index}${"y".repeat(90)}]\n`,
      ).join(""),
    ).report;
    expect(
      dropped.map(({ reason, lines, samples }) => ({ reason, lines, lengths: samples.map((sample) => sample.length) })),
    ).toEqual([{ reason: "metadata", lines: 9, lengths: [80, 80, 80, 80, 80] }]);
  });

  it("counts so that segments, chunks and sources agree, on any text", () => {
    for (let seed = 0; seed < 60; seed++) {
      const prepared = prepare({
        documents: [0, 1, 2].map((part) => ({ name: `${part}.md`, text: randomMarkdown(seed * 3 + part, 12) })),
        ...options,
        chunkTokens: 80,
      });
      const { documents, segments, cleaned, chunks } = prepared;
      expect(
        segments
          .map(({ document, sourceStart, length }) => documents[document]?.text.slice(sourceStart, sourceStart + length))
          .join(""),
      ).toBe(cleaned);
      expect(chunks.map(({ text }) => text).join("")).toBe(cleaned);
      let position = 0;
      for (const segment of segments) {
        expect(segmentSchema.parse(segment).cleanedStart).toBe(position);
        position += segment.length;
      }
      for (const [at, chunk] of chunks.entries()) {
        const source = documents[chunk.document]?.text ?? "";
        expect(chunk.index).toBe(at + 1);
        expect(cleaned.slice(chunk.start, chunk.end)).toBe(chunk.text);
        expect(source.charAt(chunk.sourceStart)).toBe(chunk.text.charAt(0));
        expect(source.charAt(chunk.sourceEnd - 1)).toBe(chunk.text.at(-1));
      }
      expect(prepReportSchema.parse(prepared.report)).toEqual(prepared.report);
    }
  });
});

describe("buildManifest", () => {
  it("says where every chunk comes from, and holds no text", () => {
    const prepared = prepareText("HEARTBEAT_OK\nA sentence of the notes.\n");
    const manifest = buildManifest(prepared, {
      sourceDate: "2026-04-19",
      createdAt: "2026-04-19T10:00:00.000Z",
      promptVersion: "distill-1",
      runtimeDir: "runtime/x",
    });
    expect(manifest).toEqual({
      version: "switchyard.manifest.v1",
      source_date: "2026-04-19",
      chunk_count: 1,
      cleaned_chars: 25,
      documents: [{ name: "2026-04-19.md", characters: 38, sha256: prepared.documents[0]?.sha256 }],
      chunks: [{ index: 1, document: 0, start: 0, end: 25, source_start: 13, source_end: 38, tokens: 7 }],
      segments: [{ cleanedStart: 0, document: 0, sourceStart: 13, length: 25 }],
      dropped: [{ document: 0, start: 0, end: 13, reason: "heartbeat", lines: 1 }],
      masked: [],
      prompt_version: "distill-1",
      created_at: "2026-04-19T10:00:00.000Z",
      runtime_dir: "runtime/x",
    });
    expect(manifestSchema.parse(manifest)).toEqual(manifest);
    expect(JSON.stringify(manifest)).not.toContain("sentence");
  });
});
