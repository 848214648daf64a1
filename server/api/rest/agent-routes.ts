import { agentCommandOrderSchema, approvalDecisionSchema } from "@/server/runs/agent-run.schema";
import { parseInput } from "../error-mapping";
import { readJson } from "../request-guard";
import { download, idOf, json, type RestRoute } from "./rest-route";

/** Events of one page of a download. */
const PAGE = 500;

/** What agent runs have beside what every run has. */
export const AGENT_ROUTES: readonly RestRoute[] = [
  {
    method: "POST",
    path: "runs/:id/commands",
    async handle(call) {
      const order = parseInput(agentCommandOrderSchema, await readJson(call.request));
      return json(await call.agents.command(idOf(call), order), 202);
    },
  },
  {
    method: "GET",
    path: "runs/:id/commands",
    handle: async (call) => json({ items: (await call.agents.get(idOf(call))).commands }),
  },
  {
    method: "GET",
    path: "runs/:id/approvals",
    handle: async (call) => json({ items: (await call.agents.get(idOf(call))).approvals }),
  },
  {
    method: "POST",
    path: "runs/:id/approvals/:approvalId",
    async handle(call) {
      const decision = parseInput(approvalDecisionSchema, await readJson(call.request));
      return json(await call.agents.decide(idOf(call), call.params.approvalId ?? "", decision));
    },
  },
  {
    method: "GET",
    path: "runs/:id/events.jsonl",
    async handle(call) {
      const id = idOf(call);
      const lines: string[] = [];
      for (let afterSeq = 0, hasMore = true; hasMore; ) {
        const page = await call.runs.events(id, { afterSeq, limit: PAGE });
        for (const event of page.items) lines.push(`${JSON.stringify(event)}\n`);
        hasMore = page.hasMore && page.items.length > 0;
        afterSeq = page.nextAfterSeq;
      }
      return download(lines.join(""), "application/x-ndjson; charset=utf-8", `${id}.jsonl`);
    },
  },
];
