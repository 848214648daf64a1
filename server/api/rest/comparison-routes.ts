import { z } from "zod";
import { comparedRunIdsSchema, type StretchCursor, stretchCursorSchema } from "@/server/runs/run-comparison.schema";
import { json, limitOf, listOf, queryOf, type RestRoute } from "./rest-route";

const idsParameter = listOf(z.string()).pipe(z.array(z.string()).default([])).pipe(comparedRunIdsSchema);

/** In addresses a cursor is one opaque word. */
function wordOf(cursor: StretchCursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

const cursorParameter = z
  .string()
  .max(4_000)
  .transform((word, ctx) => {
    try {
      return stretchCursorSchema.parse(JSON.parse(Buffer.from(word, "base64url").toString()));
    } catch {
      ctx.addIssue({ code: "custom", message: "must be the nextCursor of an earlier page" });
      return z.NEVER;
    }
  });

export const COMPARISON_ROUTES: readonly RestRoute[] = [
  {
    method: "GET",
    path: "comparison",
    async handle(call) {
      const { run } = queryOf(call, { run: idsParameter });
      return json({ items: await call.runs.compare(run) });
    },
  },
  {
    method: "GET",
    path: "comparison/chunks",
    async handle(call) {
      const { run, cursor, limit, differing } = queryOf(call, {
        run: idsParameter,
        cursor: cursorParameter.optional(),
        limit: limitOf(100, 200),
        differing: z.enum(["true", "false"]).default("false"),
      });
      const page = await call.runs.comparedChunks(run, { after: cursor, limit, differing: differing === "true" });
      return json({ items: page.items, nextCursor: page.nextCursor && wordOf(page.nextCursor) });
    },
  },
];
