import type { DropReason } from "@/server/pipeline/pipeline.schema";
import type { Preview } from "@/server/runs/run.schema";

export interface PreviewTotals {
  chunks: number;
  tokens: number;
  tokensEstimated: boolean;
  tokenizer: string;
  masked: { kind: string; count: number }[];
  maskedTotal: number;
  dropped: { reason: DropReason; lines: number; samples: string[] }[];
  droppedTotal: number;
}

/** As many samples a reason as one run shows, however many runs there are. */
const MAX_SAMPLES = 5;

/** What all runs of a start come to. */
export function previewTotals(preview: Preview): PreviewTotals {
  const reports = preview.runs.map((run) => run.report);
  const masked = new Map<string, number>();
  const dropped = new Map<DropReason, { lines: number; samples: string[] }>();
  for (const report of reports) {
    for (const { kind, count } of report.masked) masked.set(kind, (masked.get(kind) ?? 0) + count);
    for (const { reason, lines, samples } of report.dropped) {
      const sum = dropped.get(reason) ?? { lines: 0, samples: [] };
      dropped.set(reason, { lines: sum.lines + lines, samples: [...sum.samples, ...samples].slice(0, MAX_SAMPLES) });
    }
  }
  const maskedList = [...masked].map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count);
  const droppedList = [...dropped].map(([reason, sum]) => ({ reason, ...sum })).sort((a, b) => b.lines - a.lines);
  return {
    chunks: reports.reduce((sum, report) => sum + report.chunks, 0),
    tokens: reports.reduce((sum, report) => sum + report.tokens, 0),
    tokensEstimated: reports.some((report) => report.tokensEstimated),
    tokenizer: reports[0]?.tokenizer ?? "",
    masked: maskedList,
    maskedTotal: maskedList.reduce((sum, entry) => sum + entry.count, 0),
    dropped: droppedList,
    droppedTotal: droppedList.reduce((sum, entry) => sum + entry.lines, 0),
  };
}
