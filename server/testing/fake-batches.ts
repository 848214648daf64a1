/** What both fakes of batch services have in common: jobs that a test moves on, answers that it writes, and every request that came. */
import { jsonAnswer, type LoopbackUpstream, type RecordedRequest, type Script, startLoopbackUpstream } from "./loopback-upstream";

export interface FakeRequest {
  customId: string;
  /** Of one request alone. */
  body: Record<string, unknown>;
}

/** What the service does with one request. */
export type FakeFate =
  | { kind: "answer"; text: string; finish?: string }
  | { kind: "error"; status: number; type: string; message: string }
  | { kind: "expired" | "cancelled" };

export interface FakeJob {
  id: string;
  requests: FakeRequest[];
  /** The service's word for it. */
  status: string;
  createdAt: number;
  metadata: Record<string, unknown>;
  fates: Map<string, FakeFate>;
  cancelled: boolean;
}

export interface FakeBatches {
  readonly baseUrl: string;
  readonly upstream: LoopbackUpstream;
  readonly jobs: readonly FakeJob[];
  /** Everything is answered by this from now on, as if the service were out of order; null = it works. */
  broken: Script | null;
  /** Called when a job is made and before that is answered; `cut` = it is not answered, the connection ends. */
  onSubmit: (() => "cut" | "answer") | null;
  /** Called before a file of answers is sent; a number = only so many lines of it, and then the connection ends. */
  onFetch: (() => number | "whole") | null;
  /** Ends a job: what `fate` says of each request, by its place from 0. */
  end(job: FakeJob, outcome: "completed" | "expired" | "cancelled", fate: (at: number) => FakeFate): void;
  /** What came, as `METHOD path`. */
  calls(): string[];
  /** A job of somebody else. */
  addForeign(count: number, ids?: (at: number) => string): FakeJob;
  close(): Promise<void>;
}

export const GOOD_TEXT = '{"insights":[{"content":"The database moved to Oslo."}]}';
export const answered = (text = GOOD_TEXT): FakeFate => ({ kind: "answer", text });

/** How one service speaks. */
export interface FakeDialect {
  /** Null = there is no such place. */
  route(request: RecordedRequest, jobs: FakeJob[], baseUrl: string): Promise<Reply | null>;
  ended: Readonly<Record<"completed" | "expired" | "cancelled", string>>;
}

export type Reply = { status: number; json: unknown } | { status: number; text: string } | { made: FakeJob; json: unknown };

export async function startFakeBatches(dialect: FakeDialect, idPrefix: string): Promise<FakeBatches> {
  const upstream = await startLoopbackUpstream();
  const jobs: FakeJob[] = [];
  const fake: FakeBatches = {
    baseUrl: upstream.baseUrl,
    upstream,
    jobs,
    broken: null,
    onSubmit: null,
    onFetch: null,
    end(job, outcome, fate) {
      job.status = dialect.ended[outcome];
      for (const [at, { customId }] of job.requests.entries()) job.fates.set(customId, fate(at));
    },
    calls: () => upstream.requests.map(({ method, path }) => `${method} ${path}`),
    addForeign(count, ids = (at) => `theirs-${at}`) {
      const requests = Array.from({ length: count }, (_, at) => ({ customId: ids(at), body: {} }));
      const job = newJob(`${idPrefix}foreign_${jobs.length + 1}`, requests, {});
      jobs.push(job);
      return job;
    },
    close: () => upstream.close(),
  };
  upstream.otherwise(async (exchange) => {
    if (fake.broken) return fake.broken(exchange);
    const reply = await dialect.route(exchange.request, jobs, upstream.baseUrl);
    if (reply === null) return jsonAnswer(404, { error: { type: "not_found_error", message: "no such place" } })(exchange);
    if ("made" in reply) {
      jobs.push(reply.made);
      if (fake.onSubmit?.() === "cut") return void exchange.socket.destroy();
      return jsonAnswer(200, reply.json)(exchange);
    }
    if ("text" in reply) {
      const length = fake.onFetch?.() ?? "whole";
      const { response, socket } = exchange;
      response.writeHead(reply.status, { "content-type": "application/jsonl" });
      if (length === "whole") response.end(reply.text);
      else response.write(reply.text.split("\n").slice(0, length).join("\n"), () => socket.destroy());
    } else await jsonAnswer(reply.status, reply.json)(exchange);
  });
  return fake;
}

export function newJob(id: string, requests: FakeRequest[], metadata: Record<string, unknown>): FakeJob {
  return { id, requests, status: "in_progress", createdAt: Date.now(), metadata, fates: new Map(), cancelled: false };
}
