/**
 * Who may come in, decided in one place for pages, procedures, routes and downloads: by the address they came for, and by the
 * token once there is one.
 */
import { accessToken } from "@/server/access-token";
import { type Env, loadEnv } from "@/server/env";
import { AppError } from "@/server/shared/app-error";
import { type Clock, systemClock } from "@/server/shared/clock";
import { createLogger, type Logger } from "@/server/shared/logger";
import type { Secret } from "@/server/shared/secret";
import { clientOf, countedAs } from "./access/client-address";
import { sameSecret } from "./access/same-secret";
import { SessionCookie } from "./access/session-cookie";
import { WrongTokenLimit } from "./access/wrong-token-limit";
import { guardRequest } from "./request-guard";

/** What a request may do. A stranger gets only what is open to all: the sign-in page and whether the server is up. */
export type Admission =
  | { kind: "stranger" }
  | {
      kind: "admitted";
      /** Epoch milliseconds; null = not by a session. */
      sessionEndsAt: number | null;
      /** A Set-Cookie for the answer: the session goes on. */
      setCookie: string | null;
    };

export interface Access {
  /** Without a token everybody is admitted: only this machine can reach the server then. */
  readonly isTokenNeeded: boolean;
  /** Throws `foreign_host` or `foreign_origin` for what does not come for this server from its own pages. */
  guard(headers: Headers): void;
  /** By bearer token when there is one, else by session. Throws `unauthorized` for a wrong token, `too_many_requests` after several. */
  admit(headers: Headers): Admission;
  /** Judges a token that was typed in; returns the Set-Cookie of the new session, null where none is needed. Throws as `admit`. */
  signIn(headers: Headers, token: string): string | null;
  /** Ends the session of the request; returns the Set-Cookie that ends it in the browser. */
  signOut(headers: Headers): string | null;
}

export interface AccessSurroundings {
  env: Pick<Env, "SWITCHYARD_TOKEN" | "SWITCHYARD_URL">;
  logger: Logger;
  clock?: Clock;
}

export function createAccess({ env, logger, clock = systemClock }: AccessSurroundings): Access {
  const guard = (headers: Headers) => guardRequest(headers, env.SWITCHYARD_URL);
  const token = accessToken(env);
  if (token === null) {
    return {
      isTokenNeeded: false,
      guard,
      admit: () => ({ kind: "admitted", sessionEndsAt: null, setCookie: null }),
      signIn: () => null,
      signOut: () => null,
    };
  }
  return guardedByToken(token, { env, logger, clock }, guard);
}

function guardedByToken(token: Secret, { env, logger, clock }: Required<AccessSurroundings>, guard: Access["guard"]): Access {
  const sessions = new SessionCookie(token.expose(), clock, env.SWITCHYARD_URL?.startsWith("https:") ?? false);
  const limit = new WrongTokenLimit(clock);

  /** Nothing is awaited between asking the limit and counting: attempts at once cannot slip past it. */
  function judge(headers: Headers, given: string, by: "bearer" | "form"): void {
    const client = clientOf(headers);
    const counted = countedAs(client);
    const waitMs = limit.waitMs(counted);
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1_000);
      logger.warn({ client, by }, "a sign-in was refused: too many wrong tokens");
      throw new AppError(
        "too_many_requests",
        `Too many wrong tokens; try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
        {
          details: { retryAfterSeconds: seconds },
        },
      );
    }
    if (!sameSecret(given, token.expose())) {
      limit.countWrong(counted);
      logger.warn({ client, by }, "a sign-in was refused: wrong token");
      throw new AppError("unauthorized", "That is not the token of this server.");
    }
    limit.countRight(counted);
  }

  return {
    isTokenNeeded: true,
    guard,
    admit(headers) {
      // Another scheme is for a proxy in front, which may pass it on.
      const bearer = /^Bearer(?: +(.*))?$/i.exec(headers.get("authorization") ?? "");
      if (bearer !== null) {
        judge(headers, bearer[1]?.trim() ?? "", "bearer");
        return { kind: "admitted", sessionEndsAt: null, setCookie: null };
      }
      const session = sessions.read(headers.get("cookie"));
      if (session === null) return { kind: "stranger" };
      return {
        kind: "admitted",
        sessionEndsAt: session.endsAt,
        setCookie: session.isRenewalDue ? sessions.begin(session.id) : null,
      };
    },
    signIn(headers, given) {
      judge(headers, given.trim(), "form");
      logger.info({ client: clientOf(headers) }, "signed in");
      return sessions.begin();
    },
    signOut: (headers) => sessions.end(headers.get("cookie")),
  };
}

/** Lets a request of the API in, or throws why not: `foreign_host`, `foreign_origin`, `unauthorized`, `too_many_requests`. */
export function admitOnly(headers: Headers): Extract<Admission, { kind: "admitted" }> {
  const access = processAccess();
  access.guard(headers);
  const admission = access.admit(headers);
  if (admission.kind === "admitted") return admission;
  throw new AppError(
    "unauthorized",
    'This server asks for its token: sign in at /login, or send it as "Authorization: Bearer …".',
  );
}

const KEY = Symbol.for("switchyard.access");
type Holder = typeof globalThis & { [KEY]?: Access };

/** The process's one access: the proxy, route handlers and pages are separate module instances, and all count wrong tokens together. */
export function processAccess(): Access {
  const holder = globalThis as Holder;
  holder[KEY] ??= accessOfProcess();
  return holder[KEY];
}

function accessOfProcess(): Access {
  const env = loadEnv();
  // Nothing of a request but the client's address is logged here, so there is nothing to redact.
  return createAccess({ env, logger: createLogger(env.LOG_LEVEL, (line) => line) });
}
