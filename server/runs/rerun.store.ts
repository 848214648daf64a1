import type { Database } from "@/server/db/client";
import { AppError } from "@/server/shared/app-error";

/** Request bodies are read in pages, so that one read stays short. */
const PAGE = 500;

/** All that prep made of a run's texts, as it is stored. */
export interface PreparedText {
  options: string;
  promptVersion: string;
  prep: string;
  documents: { index: number; name: string; bytes: number; sha256: string; body: string }[];
  /** Manifest and cleaned text. */
  artifacts: { kind: "manifest" | "cleaned"; body: string; bytes: number; sha256: string }[];
  chunks: {
    index: number;
    document: number;
    tokens: number;
    start: number;
    end: number;
    sourceStart: number;
    sourceEnd: number;
    request: { body: string; bytes: number; sha256: string };
  }[];
}

const TEXT = { body: true, bytes: true, sha256: true } as const;

export async function preparedText(database: Database, runId: string): Promise<PreparedText> {
  const run = await database.run.findUnique({
    select: { options: true, promptVersion: true, prep: true },
    where: { id: runId },
  });
  if (!run) throw new AppError("not_found", `There is no run ${runId}.`, { details: { run: runId } });
  const documents = await database.document.findMany({ where: { runId }, orderBy: { index: "asc" } });
  const artifact = async (kind: "manifest" | "cleaned") => {
    const row = await database.artifact.findFirst({ select: TEXT, where: { runId, kind }, orderBy: { id: "desc" } });
    return row ? [{ kind, ...row }] : [];
  };
  return {
    ...run,
    documents: documents.map(({ index, name, bytes, sha256, text }) => ({ index, name, bytes, sha256, body: text })),
    artifacts: [...(await artifact("manifest")), ...(await artifact("cleaned"))],
    chunks: await chunksOf(database, runId),
  };
}

async function chunksOf(database: Database, runId: string): Promise<PreparedText["chunks"]> {
  const chunks: PreparedText["chunks"] = [];
  for (;;) {
    const rows = await database.chunk.findMany({
      select: {
        index: true,
        document: true,
        tokens: true,
        start: true,
        end: true,
        sourceStart: true,
        sourceEnd: true,
        requestId: true,
      },
      where: { runId, index: { gt: chunks.at(-1)?.index ?? 0 } },
      orderBy: { index: "asc" },
      take: PAGE,
    });
    if (rows.length === 0) return chunks;
    const requests = await database.artifact.findMany({
      select: { id: true, ...TEXT },
      where: { id: { in: rows.map(({ requestId }) => requestId) } },
    });
    const requestOf = new Map(requests.map(({ id, ...text }) => [id, text]));
    for (const { requestId, ...chunk } of rows) {
      const request = requestOf.get(requestId);
      if (!request) throw new Error(`chunk ${chunk.index} of ${runId} has no request artifact`);
      chunks.push({ ...chunk, request });
    }
  }
}
