import { type NextRequest, NextResponse } from "next/server";
import { errorResponse } from "@/server/api/error-mapping";
import { type PageAccess, pageAccess } from "@/server/api/page-access";

/**
 * Pages: only for this server's own address and those who are signed in, under a content security policy with a nonce a request.
 * Routes under /api guard themselves.
 */
export function proxy(request: NextRequest): Response {
  const { pathname, search } = request.nextUrl;
  let access: PageAccess;
  try {
    access = pageAccess(request.headers, request.method, pathname, search);
  } catch (error) {
    return errorResponse(error);
  }
  if (access.kind === "sign-in") {
    const response = NextResponse.redirect(new URL(access.location, request.url));
    response.headers.set("cache-control", "no-store");
    return response;
  }
  const nonce = btoa(crypto.randomUUID());
  const development = process.env.NODE_ENV === "development";
  const policy = [
    "default-src 'self'",
    // The development server evaluates code; the built one never does.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("x-frame-options", "DENY");
  // Not "no-referrer": browsers would then send forms with the Origin "null", which is nobody's.
  response.headers.set("referrer-policy", "same-origin");
  if (access.setCookie !== null) response.headers.append("set-cookie", access.setCookie);
  return response;
}

export const config = { matcher: ["/((?!api/|_next/static/).*)"] };
