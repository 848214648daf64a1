/**
 * Every error a caller can meet, once: REST status, tRPC code, who can mend it. REST and tRPC both read
 * this table, so the two can never answer differently.
 */
export const ERROR_CODES = {
  invalid_input: { status: 400, trpc: "BAD_REQUEST", fault: "caller", title: "The input is not valid" },
  invalid_json: { status: 400, trpc: "BAD_REQUEST", fault: "caller", title: "The body is not valid JSON" },
  invalid_encoding: { status: 400, trpc: "BAD_REQUEST", fault: "caller", title: "The text is not valid UTF-8" },
  unauthorized: { status: 401, trpc: "UNAUTHORIZED", fault: "caller", title: "Not signed in" },
  foreign_host: { status: 403, trpc: "FORBIDDEN", fault: "caller", title: "The Host header is not this server's" },
  foreign_origin: { status: 403, trpc: "FORBIDDEN", fault: "caller", title: "The request comes from another site" },
  policy_refused: { status: 403, trpc: "FORBIDDEN", fault: "caller", title: "The policy is wider than what is allowed" },
  not_found: { status: 404, trpc: "NOT_FOUND", fault: "caller", title: "Not found" },
  method_not_allowed: { status: 405, trpc: "METHOD_NOT_SUPPORTED", fault: "caller", title: "The method is not allowed here" },
  conflict: { status: 409, trpc: "CONFLICT", fault: "caller", title: "Not possible in the present state" },
  too_large: { status: 413, trpc: "PAYLOAD_TOO_LARGE", fault: "caller", title: "The input is too large" },
  unsupported_media_type: {
    status: 415,
    trpc: "UNSUPPORTED_MEDIA_TYPE",
    fault: "caller",
    title: "The content type is not supported",
  },
  invalid_config: { status: 422, trpc: "UNPROCESSABLE_CONTENT", fault: "caller", title: "The configuration has errors" },
  unknown_scene: { status: 422, trpc: "UNPROCESSABLE_CONTENT", fault: "caller", title: "No such scene" },
  unknown_backend: { status: 422, trpc: "UNPROCESSABLE_CONTENT", fault: "caller", title: "No such backend" },
  too_many_requests: { status: 429, trpc: "TOO_MANY_REQUESTS", fault: "caller", title: "Too many attempts" },
  store_unavailable: { status: 503, trpc: "SERVICE_UNAVAILABLE", fault: "server", title: "The store cannot be written" },
  internal: { status: 500, trpc: "INTERNAL_SERVER_ERROR", fault: "server", title: "Something broke on the server" },
} as const satisfies Record<string, { status: number; trpc: string; fault: "caller" | "server"; title: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
