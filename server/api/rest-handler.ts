import { processContainer } from "@/server/boot";
import { AppError } from "@/server/shared/app-error";
import { admitOnly } from "./access";
import { errorResponse, isServerFault } from "./error-mapping";
import type { RestRoute } from "./rest/rest-route";
import { REST_ROUTES } from "./rest/routes";

const PREFIX = "/api/v1/";

/** The REST API under /api/v1. One table of routes; every error leaves as `{error:{code,message,details?}}`. */
export async function handleRest(request: Request): Promise<Response> {
  try {
    const admission = admitOnly(request.headers);
    const response = await answer(request);
    if (admission.setCookie !== null) response.headers.append("set-cookie", admission.setCookie);
    return response;
  } catch (error) {
    return errorResponse(error);
  }
}

async function answer(request: Request): Promise<Response> {
  try {
    const url = new URL(request.url);
    const parts = pathParts(url.pathname);
    const matching = REST_ROUTES.flatMap((route) => {
      const params = match(route, parts);
      return params ? [{ route, params }] : [];
    });
    if (matching.length === 0) throw new AppError("not_found", `There is no ${url.pathname} in this API.`);
    const found = matching.find(({ route }) => route.method === request.method);
    if (!found) {
      const allowed = matching.map(({ route }) => route.method).join(", ");
      const response = errorResponse(
        new AppError("method_not_allowed", `${request.method} is not possible here; use ${allowed}.`),
      );
      response.headers.set("allow", allowed);
      return response;
    }
    const container = await processContainer();
    const { runs, agents, config, backends, batches } = container;
    return await found.route.handle({
      runs,
      agents,
      config,
      backends,
      batches,
      request,
      query: url.searchParams,
      params: found.params,
    });
  } catch (error) {
    if (isServerFault(error)) (await processContainer().catch(() => null))?.logger.error({ error }, "a request failed");
    return errorResponse(error);
  }
}

function pathParts(pathname: string): string[] {
  try {
    return pathname.slice(PREFIX.length).split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    throw new AppError("invalid_input", "The address holds a broken % sequence.");
  }
}

/** Parameters of the route's `:name` parts, or null when the path is another. */
function match(route: RestRoute, parts: readonly string[]): Record<string, string> | null {
  const wanted = route.path.split("/");
  if (wanted.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const given = parts[at] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = given;
    else if (part !== given) return null;
  }
  return params;
}
