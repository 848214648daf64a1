/** A backend over HTTP at a loopback upstream, and one turn of it, as tests of adapters need them. */
import type { Backend, BackendError, Turn } from "@/server/backends/backend";
import type { HttpLimits } from "@/server/backends/http/http-backend";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import { buildSettings } from "./build-settings";
import { chatTurn, failureOf, type Heard, listen } from "./contract-chat-turn";
import { type LoopbackUpstream, type Script, startLoopbackUpstream } from "./loopback-upstream";

type Create = (settings: ProviderSettings, limits?: Partial<HttpLimits>) => Backend;

export interface HttpBench {
  readonly upstream: LoopbackUpstream;
  /** The settings of the profile, at the upstream. */
  open(limits?: Partial<HttpLimits>, settings?: Partial<ProviderSettings>): Backend;
  /** Sends one turn, which is answered by the script. */
  run(script: Script, turn?: Partial<Turn>, options?: BenchOptions): Promise<Awaited<ReturnType<Backend["runTurn"]>>>;
  /** The failure of one turn, which is answered by the script. */
  fail(script: Script, turn?: Partial<Turn>, options?: BenchOptions): Promise<BackendError>;
  /** What the last turn told. */
  heard: Heard;
  /** The body of the last request. */
  sent(): unknown;
  close(): Promise<void>;
}

interface BenchOptions {
  limits?: Partial<HttpLimits>;
  settings?: Partial<ProviderSettings>;
}

export async function openHttpBench(profile: string, create: Create): Promise<HttpBench> {
  const upstream = await startLoopbackUpstream();
  const backends: Backend[] = [];
  const bench: HttpBench = {
    upstream,
    heard: listen(),
    open(limits = {}, settings = {}) {
      const secretRefs = { apiKey: "env:LLM_API_KEY" };
      const backend = create(
        buildSettings(profile, { name: "llm-api", baseUrl: upstream.baseUrl, secretRefs, ...settings }),
        limits,
      );
      backends.push(backend);
      return backend;
    },
    run(script, turn = {}, { limits = {}, settings = {} } = {}) {
      upstream.next(script);
      const heard = listen();
      bench.heard = heard;
      return bench.open(limits, settings).runTurn(chatTurn(upstream.baseUrl, turn), heard.sink, new AbortController().signal);
    },
    fail: (script, turn, options) => failureOf(bench.run(script, turn, options)),
    sent: () => JSON.parse(upstream.requests.at(-1)?.body ?? "null"),
    async close() {
      for (const backend of backends.splice(0)) await backend.close();
      await upstream.close();
    },
  };
  return bench;
}
