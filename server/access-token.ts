import { resolveSecret } from "./config/secret-reference";
import type { Env } from "./env";
import type { Secret } from "./shared/secret";

export const ACCESS_TOKEN_REFERENCE = "env:SWITCHYARD_TOKEN";

/** The token that lets people and programs in; null when the operator set none. */
export function accessToken(env: Pick<Env, "SWITCHYARD_TOKEN">): Secret | null {
  return env.SWITCHYARD_TOKEN === undefined
    ? null
    : resolveSecret({ path: "the access token", reference: ACCESS_TOKEN_REFERENCE });
}
