/** What pages and the proxy ask of the access: may this one see a page, and where does the sign-in page lead. */
import { AppError } from "@/server/shared/app-error";
import { processAccess } from "./access";
import { localPath } from "./access/local-path";
import type { SignInRefusal } from "./sign-in-handler";

/** Files without a secret, and the page where one signs in. */
const OPEN_PAGES: ReadonlySet<string> = new Set(["/login", "/icon.svg", "/favicon.ico"]);

export type PageAccess = { kind: "show"; setCookie: string | null } | { kind: "sign-in"; location: string };

/**
 * Whether a page may be shown, or where to sign in for it. Throws what is no matter of signing in: a foreign host or origin, a wrong
 * bearer token, a page that is posted to. `page` is its path, `search` its query with the question mark.
 */
export function pageAccess(headers: Headers, method: string, page: string, search: string): PageAccess {
  const access = processAccess();
  access.guard(headers);
  if (OPEN_PAGES.has(page)) return { kind: "show", setCookie: null };
  const admission = access.admit(headers);
  if (admission.kind === "admitted") return { kind: "show", setCookie: admission.setCookie };
  if (method !== "GET" && method !== "HEAD") throw new AppError("unauthorized", "Sign in at /login first.");
  const next = localPath(page + search);
  return { kind: "sign-in", location: next === "/" ? "/login" : `/login?${new URLSearchParams({ next })}` };
}

/** True when people sign in here, and so can sign out. */
export function isSignInUsed(): boolean {
  return processAccess().isTokenNeeded;
}

export interface SignInPage {
  /** False when the reader is in already, or nobody has to sign in. */
  isNeeded: boolean;
  /** Where the page leads; always a path of this server. */
  next: string;
  refused: SignInRefusal | null;
}

/** What the sign-in page has to show. `query` is the page's own, as the browser sent it. */
export function signInPage(headers: Headers, query: Readonly<Record<string, string | string[] | undefined>>): SignInPage {
  const one = (name: string) => (typeof query[name] === "string" ? query[name] : undefined);
  const refused = one("refused");
  return {
    isNeeded: !isAdmitted(headers),
    next: localPath(one("next")),
    refused: refused === "wrong" || refused === "wait" ? refused : null,
  };
}

function isAdmitted(headers: Headers): boolean {
  try {
    return processAccess().admit(headers).kind === "admitted";
  } catch {
    // A wrong bearer token: the page can still be signed in to.
    return false;
  }
}
