/** From the results of all chunks to one ranked list of statements, each with every place it stands in. */
import { CONFIDENCES, type Insight, insightSchema } from "@/server/artifacts/insight.schema";
import { sourceDateSchema } from "@/server/artifacts/request-artifact.schema";
import type { ResultArtifact } from "@/server/artifacts/result-artifact.schema";
import { AppError } from "@/server/shared/app-error";
import { type ChunkRange, QuoteLocator, toDocumentRange } from "./consolidate-provenance";
import { type Fingerprint, fingerprint } from "./near-duplicate";
import { NearDuplicateIndex } from "./near-duplicate-index";
import type { Consolidated, Coverage, InsightSource, Segment, StagedInsight } from "./pipeline.schema";
import { compareCodePoints, type Ranking, rank } from "./rank";

export interface ConsolidateInput {
  /** YYYY-MM-DD; the date of every statement that names no valid one of its own. */
  sourceDate: string;
  cleaned: string;
  segments: Segment[];
  chunks: ChunkRange[];
  /** In any order. Of several for one chunk the latest ok attempt counts. */
  results: { chunk: number; attempt: number; result: ResultArtifact }[];
  /** Consolidate although chunks failed or are missing: an explicit act of the operator. */
  allowPartial: boolean;
}

/** Names of missing or failed chunks in a message; a run may have thousands. */
const NAMED_CHUNKS = 20;

/** One statement at one place, before merging. */
interface Candidate {
  content: string;
  topic: string;
  section: string;
  confidence: StagedInsight["confidence"];
  date: string;
  source: InsightSource;
  print: Fingerprint;
  /** The score it would have alone, to choose between equal wordings. */
  ownScore: number;
}

interface Cluster {
  shown: Candidate;
  members: Candidate[];
}

/**
 * Validates, locates, merges and ranks. Reads results and nothing else. The output depends on what is in the
 * input and never on its order.
 *
 * Throws `AppError("conflict")` naming the chunks when some have no ok result and `allowPartial` is false;
 * `AppError("invalid_input")` when a result names a chunk that the run does not have.
 */
export function consolidate(input: ConsolidateInput): Consolidated {
  const chunks = new Map(input.chunks.map((chunk) => [chunk.index, chunk]));
  const accepted = acceptedResults(input.results, chunks);
  const coverage = measureCoverage(chunks, accepted);
  const isPartial = coverage.done < coverage.total;
  if (isPartial && !input.allowPartial) throw incomplete(coverage);

  const candidates: Candidate[] = [];
  const invalid: Consolidated["invalid"] = [];
  for (const { chunk, attempt, result } of accepted.values()) {
    if (!result.ok) continue;
    const range = chunks.get(chunk);
    if (!range) continue;
    const { insights, invalidCount } = readInsights(result.output);
    if (invalidCount > 0) invalid.push({ chunk, count: invalidCount });
    candidates.push(...locateAll(insights, { input, range, attempt }));
  }

  const clusters = merge(candidates);
  return {
    insights: order(clusters).map(({ cluster, ranking, sources }, i) => ({
      rank: i + 1,
      content: cluster.shown.content,
      topic: cluster.shown.topic,
      section: cluster.shown.section,
      confidence: cluster.shown.confidence,
      date: cluster.shown.date,
      score: ranking.score,
      scoreParts: ranking.parts,
      sources,
    })),
    coverage,
    duplicates: candidates.length - clusters.length,
    invalid: invalid.sort((a, b) => a.chunk - b.chunk),
    partial: isPartial,
  };
}

type Accepted = Map<number, ConsolidateInput["results"][number]>;

/** One result a chunk: an ok one before a failed one, then the later attempt. */
function acceptedResults(results: ConsolidateInput["results"], chunks: ReadonlyMap<number, ChunkRange>): Accepted {
  const accepted: Accepted = new Map();
  for (const entry of results) {
    if (!chunks.has(entry.chunk)) {
      throw new AppError("invalid_input", `A result names chunk ${entry.chunk}, and the run has no such chunk.`, {
        details: { chunk: entry.chunk },
      });
    }
    const known = accepted.get(entry.chunk);
    const isBetter = !known || (entry.result.ok === known.result.ok ? entry.attempt > known.attempt : entry.result.ok);
    if (isBetter) accepted.set(entry.chunk, entry);
  }
  return accepted;
}

function measureCoverage(chunks: ReadonlyMap<number, ChunkRange>, accepted: Accepted): Coverage {
  const indexes = [...chunks.keys()].sort((a, b) => a - b);
  const failed = indexes.filter((index) => accepted.get(index)?.result.ok === false);
  const missing = indexes.filter((index) => !accepted.has(index));
  return { total: indexes.length, done: indexes.length - failed.length - missing.length, failed, missing };
}

function incomplete(coverage: Coverage): AppError {
  const list = (name: string, indexes: number[]) => {
    const rest = indexes.length - NAMED_CHUNKS;
    return indexes.length === 0
      ? ""
      : `; ${name}: ${indexes.slice(0, NAMED_CHUNKS).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  };
  return new AppError(
    "conflict",
    `${coverage.done} of ${coverage.total} chunks have a result${list("failed", coverage.failed)}${list("missing", coverage.missing)}. Retry them, or consolidate partially on purpose.`,
    { details: { ...coverage } },
  );
}

/** Entries that are insights, and how many are not. An output without an `insights` array is one invalid entry. */
function readInsights(output: Record<string, unknown>): { insights: Insight[]; invalidCount: number } {
  if (!Array.isArray(output.insights)) return { insights: [], invalidCount: 1 };
  const insights: Insight[] = [];
  let invalidCount = 0;
  for (const entry of output.insights) {
    const parsed = insightSchema.safeParse(entry);
    if (parsed.success) insights.push(parsed.data);
    else invalidCount++;
  }
  return { insights, invalidCount };
}

function locateAll(insights: Insight[], from: { input: ConsolidateInput; range: ChunkRange; attempt: number }): Candidate[] {
  const { input, range, attempt } = from;
  const locator = new QuoteLocator(input.cleaned, range);
  const candidates = insights.map((insight) => ({
    quote: insight.quote ?? "",
    content: oneLine(insight.content),
    topic: oneLine(insight.topic ?? ""),
    section: oneLine(insight.section ?? ""),
    // An unnamed confidence is no confidence: quality gates fail closed.
    confidence: insight.confidence ?? "low",
    date: sourceDateSchema.safeParse(insight.date).data ?? input.sourceDate,
    print: fingerprint(insight.content),
  }));
  // A quote that occurs twice is given out in order, so that order must not be the model's.
  candidates.sort((a, b) => compareCodePoints(a.quote, b.quote) || compareWording(a, b));
  return candidates.map(({ quote, ...candidate }) => {
    const place = locator.locate(quote) ?? (quote.trim() === "" ? locator.locate(candidate.content) : undefined);
    const cleaned = place ?? { start: range.start, end: range.end };
    const source: InsightSource = {
      chunk: range.index,
      attempt,
      ...toDocumentRange(input.segments, cleaned, range),
      cleanedStart: cleaned.start,
      cleanedEnd: cleaned.end,
      quote: place ? input.cleaned.slice(place.start, place.end) : quote,
      exact: place !== undefined,
    };
    return { ...candidate, source, ownScore: rankOf(candidate, 1).score };
  });
}

/**
 * Merges repetitions. The longest wording is shown, since nothing is lost with the shorter ones; between wordings
 * of one length the better ranked. Going through them in that order makes the clusters independent of the input's.
 */
function merge(candidates: Candidate[]): Cluster[] {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const group = groups.get(candidate.print.text);
    if (group) group.push(candidate);
    else groups.set(candidate.print.text, [candidate]);
  }
  const clusters = [...groups.values()].flatMap((members) => {
    const [shown] = [...members].sort(compareShown);
    return shown ? [{ shown, members }] : [];
  });
  clusters.sort((a, b) => b.shown.print.terms.size - a.shown.print.terms.size || compareShown(a.shown, b.shown));

  const kept: Cluster[] = [];
  const index = new NearDuplicateIndex<Cluster>(clusters.map((cluster) => cluster.shown.print));
  for (const cluster of clusters) {
    const fuller = index.find(cluster.shown.print);
    if (fuller) {
      fuller.members.push(...cluster.members);
    } else {
      kept.push(cluster);
      index.add(cluster.shown.print, cluster);
    }
  }
  return kept;
}

function order(clusters: Cluster[]): { cluster: Cluster; ranking: Ranking; sources: InsightSource[] }[] {
  return clusters
    .map((cluster) => {
      const sources = distinctSources(cluster.members);
      return { cluster, sources, ranking: rankOf(cluster.shown, new Set(sources.map((source) => source.chunk)).size) };
    })
    .sort(
      (a, b) =>
        b.ranking.score - a.ranking.score ||
        compareWording(a.cluster.shown, b.cluster.shown) ||
        comparePlace(a.cluster.shown.source, b.cluster.shown.source),
    );
}

/** Every place once, in the order of the text. */
function distinctSources(members: Candidate[]): InsightSource[] {
  const byPlace = new Map<string, InsightSource>();
  for (const { source } of [...members].sort((a, b) => comparePlace(a.source, b.source))) {
    const key = `${source.chunk} ${source.attempt} ${source.cleanedStart} ${source.cleanedEnd} ${source.exact ? "" : source.quote}`;
    if (!byPlace.has(key)) byPlace.set(key, source);
  }
  return [...byPlace.values()];
}

function rankOf(candidate: Wording, independentSources: number): Ranking {
  return rank({ content: candidate.content, section: candidate.section, confidence: candidate.confidence, independentSources });
}

/** Which of equal wordings is shown: the surer, the better ranked, the one without an announcement of repetition, then any fixed order. */
function compareShown(a: Candidate, b: Candidate): number {
  return (
    CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) ||
    b.ownScore - a.ownScore ||
    a.content.length - b.content.length ||
    compareWording(a, b) ||
    comparePlace(a.source, b.source)
  );
}

type Wording = Pick<Candidate, "content" | "topic" | "section" | "confidence" | "date">;

function compareWording(a: Wording, b: Wording): number {
  return (
    compareCodePoints(a.content, b.content) ||
    compareCodePoints(a.topic, b.topic) ||
    compareCodePoints(a.section, b.section) ||
    CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) ||
    compareCodePoints(a.date, b.date)
  );
}

function comparePlace(a: InsightSource, b: InsightSource): number {
  return (
    a.chunk - b.chunk || a.cleanedStart - b.cleanedStart || a.cleanedEnd - b.cleanedEnd || compareCodePoints(a.quote, b.quote)
  );
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
