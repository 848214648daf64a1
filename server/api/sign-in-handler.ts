import { AppError, isAppError } from "@/server/shared/app-error";
import { processAccess } from "./access";
import { localPath } from "./access/local-path";
import { errorResponse } from "./error-mapping";
import { decodeBody, readBody } from "./request-guard";

/** A token and a path; nobody has more to say here. */
const MAX_FORM_BYTES = 16 * 1024;

/** Why the page of the form is shown again, as its address says it. */
export type SignInRefusal = "wrong" | "wait";

/**
 * Judges the token of the sign-in form (`token`, `next`). The form as browsers send it by themselves is answered with the way
 * on: to `next`, or back to the page with the refusal. A script that accepts no HTML gets `{next}`, or the API's error.
 */
export async function handleSignIn(request: Request): Promise<Response> {
  const isPlainForm = request.headers.get("accept")?.includes("text/html") ?? false;
  let next = "/";
  try {
    const access = processAccess();
    access.guard(request.headers);
    const form = await readForm(request);
    next = localPath(form.get("next"));
    const setCookie = access.signIn(request.headers, form.get("token") ?? "");
    return isPlainForm ? leadOn(next, setCookie) : withCookie(Response.json({ next }), setCookie);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!isPlainForm || refusal === null) return errorResponse(error);
    return leadOn(`/login?${new URLSearchParams({ ...(next === "/" ? {} : { next }), refused: refusal })}`, null);
  }
}

/** Ends the browser's session. */
export async function handleSignOut(request: Request): Promise<Response> {
  try {
    const access = processAccess();
    access.guard(request.headers);
    return leadOn("/login", access.signOut(request.headers));
  } catch (error) {
    return errorResponse(error);
  }
}

function refusalOf(error: unknown): SignInRefusal | null {
  if (!isAppError(error)) return null;
  if (error.code === "too_many_requests") return "wait";
  return error.code === "unauthorized" ? "wrong" : null;
}

async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new AppError(
      "unsupported_media_type",
      `Send the form as application/x-www-form-urlencoded, not "${type.slice(0, 60)}".`,
    );
  }
  return new URLSearchParams(decodeBody(await readBody(request, MAX_FORM_BYTES)));
}

/** `location` is a path of ours. 303: whatever was posted, the next request is a GET. */
function leadOn(location: string, setCookie: string | null): Response {
  return withCookie(new Response(null, { status: 303, headers: { location } }), setCookie);
}

function withCookie(response: Response, setCookie: string | null): Response {
  response.headers.set("cache-control", "no-store");
  if (setCookie !== null) response.headers.append("set-cookie", setCookie);
  return response;
}
