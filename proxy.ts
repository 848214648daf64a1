import { type NextRequest, NextResponse } from "next/server";
import { errorResponse } from "@/server/api/error-mapping";
import { guardRequest } from "@/server/api/request-guard";

/** Pages: only for this server's own address, under a content security policy with a nonce a request. Routes under /api guard themselves. */
export function proxy(request: NextRequest): Response {
  try {
    guardRequest(request.headers);
  } catch (error) {
    return errorResponse(error);
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
  response.headers.set("referrer-policy", "no-referrer");
  return response;
}

export const config = { matcher: ["/((?!api/|_next/static/).*)"] };
