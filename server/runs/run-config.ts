import type { CurrentConfig } from "@/server/config/current-config";
import type { PinnedRoute } from "@/server/config/pinned-route.schema";
import { isAppError } from "@/server/shared/app-error";
import { pinRoute } from "./pin-route";
import type { RunConfig } from "./run.schema";

/** What a run is pinned to, beside what the newest revision would give it. */
export async function runConfigOf(
  config: CurrentConfig,
  run: { scene: string | null; routes: readonly PinnedRoute[] },
): Promise<RunConfig> {
  const { document, revision } = await config.newest();
  const [own] = run.routes;
  let today: PinnedRoute | null = null;
  let problem: string | null = null;
  if (own) {
    try {
      const [first] = own.candidates;
      today = pinRoute(
        document,
        revision.number,
        own.scene === null ? { backend: first?.settings.name, model: first?.model } : { scene: own.scene },
      );
    } catch (error) {
      if (!isAppError(error)) throw error;
      problem = error.message;
    }
  }
  return {
    newestRevision: revision.number,
    changedSince: own !== undefined && (today === null || essence(today) !== essence(own)),
    today: today?.candidates.map(({ settings, model }) => `${settings.name}/${model}`) ?? null,
    problem,
    routes: run.routes.map(({ candidates, ...route }) => ({
      ...route,
      candidates: candidates.map(({ settings, model }) => ({
        reference: `${settings.name}/${model}`,
        provider: settings.name,
        model,
        profile: settings.profile,
        kind: settings.kind,
        baseUrl: settings.baseUrl,
      })),
    })),
  };
}

/** All of a route that can make a difference to a request. */
function essence({ requires, strategy, candidates }: PinnedRoute): string {
  return JSON.stringify([requires, candidates.length > 1 ? strategy : null, candidates]);
}
