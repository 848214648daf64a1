import path from "node:path";
import { textArtifact } from "@/server/artifacts/artifact-text";
import type { CurrentConfig } from "@/server/config/current-config";
import type { ExecutionPolicy, ExecutionPolicyOrder } from "@/server/config/execution-policy.schema";
import { executionPolicyOrderSchema } from "@/server/config/execution-policy.schema";
import type { PinnedRoute } from "@/server/config/pinned-route.schema";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { Writer } from "@/server/db/writer";
import type { NewEvent } from "@/server/events/event.schema";
import { appendEventOps, prepareEvent } from "@/server/events/event-writes.store";
import type { Redactor } from "@/server/events/redact";
import { AppError } from "@/server/shared/app-error";
import { type Clock, isoTime } from "@/server/shared/clock";
import { newId } from "@/server/shared/ids";
import type { AgentReads } from "./agent/agent-reads.store";
import {
  askInterrupt,
  cancelThread,
  decideApproval,
  insertCommand,
  type NewCommand,
  type Ordered,
  queueTurn,
} from "./agent/agent-writes.store";
import { policyProblems, resolveWorkspace } from "./agent/check-policy";
import { AGENT_CANCEL_FROM, PROMPT_PREVIEW, TURN_FROM } from "./agent-run.rules";
import type { AgentCommandOrder, CreateAgentRun } from "./agent-run.schema";
import type { AgentRunService } from "./agent-run-service";
import type { Prices } from "./cost";
import { EMPTY_PREP } from "./empty-prep";
import type { ModelChoice } from "./pin-route";
import { RUN_OPTION_DEFAULTS } from "./run.rules";
import type { RunConfig, RunSummary } from "./run.schema";
import { artifactOp, moveRunOp, type NewArtifact } from "./run-writes.store";
import type { RunsStore } from "./runs.store";

export interface AgentRunServiceDeps {
  writer: Writer;
  runs: RunsStore;
  reads: AgentReads;
  config: CurrentConfig;
  pin(choice: ModelChoice): Promise<PinnedRoute>;
  configOf(run: { scene: string | null; routes: readonly PinnedRoute[] }): Promise<RunConfig>;
  prices(): Promise<Prices>;
  redactor: Redactor;
  /** Where runs without a workspace get one of their own. */
  workspacesFolder: string;
  clock: Clock;
  kick(): void;
  writing(id: string): string | null;
  endCommands(id: string): Promise<number>;
}

/** A run whose turn tells a lot changes between any two reads; then what was read last must do. */
const MOST_LOOKS = 3;

/** Agent runs in the database of this process. */
export function createLocalAgentRunService(deps: AgentRunServiceDeps): AgentRunService {
  const { writer, runs, reads, clock, redactor } = deps;
  const prepare = (event: NewEvent, now: number) => prepareEvent(event, { ts: now }, redactor);

  /** Run, commands and questions of one moment: what changed while they were read is read again. */
  async function get(id: string) {
    for (let looks = 1; ; looks++) {
      const whole = await runs.whole(id);
      if (whole.summary.kind !== "thread") throw notAnAgentRun(id);
      const [detail, config] = await Promise.all([
        deps.prices().then((prices) => reads.detail(whole.summary, prices)),
        deps.configOf({ scene: whole.summary.scene, routes: whole.routes }),
      ]);
      const { lastSeq } = await runs.summary(id);
      if (lastSeq === whole.summary.lastSeq || looks === MOST_LOOKS)
        return { ...whole.summary, ...detail, kind: "thread" as const, config };
    }
  }

  async function agentRun(id: string): Promise<RunSummary> {
    const run = await runs.summary(id);
    if (run.kind !== "thread") throw notAnAgentRun(id);
    return run;
  }

  /** Everything is said in what is stored: nothing is decided later by what was left out. */
  function wholePolicy(order: ExecutionPolicyOrder | undefined, settings: ProviderSettings, runId: string): ExecutionPolicy {
    const given = executionPolicyOrderSchema.parse(order ?? {});
    const reference = settings.secretRefs.apiKey;
    return {
      ...given,
      workspace: given.workspace ?? path.join(deps.workspacesFolder, runId),
      secretScope: given.secretScope ?? {
        providerCredentials: reference === undefined ? [] : [{ profile: settings.name, secretRef: reference }],
      },
    };
  }

  async function checked(policy: ExecutionPolicy, settings: ProviderSettings): Promise<void> {
    const rules = (await deps.config.newest()).document.agents ?? {};
    const problems = policyProblems(policy, rules, settings);
    const workspace = await resolveWorkspace(policy.workspace, {
      allowed: rules.workspaces ?? [],
      ownFolder: deps.workspacesFolder,
      // A refused order leaves no folder behind.
      mayMake: problems.length === 0,
    });
    if (!workspace.ok) problems.push(workspace.error);
    if (problems.length > 0)
      throw new AppError("policy_refused", problems.join(" "), { details: { backend: settings.name, problems } });
  }

  function promptArtifact(prompt: string, now: number): NewArtifact {
    return { id: newId("art", now), kind: "prompt", ...textArtifact(redactor.text(prompt)) };
  }

  async function create(body: CreateAgentRun) {
    const now = clock.now();
    const route = await deps.pin({ backend: body.backend, model: body.model });
    const [candidate] = route.candidates;
    if (!candidate) throw new Error("a pinned route without a candidate");
    const { settings, model } = candidate;
    const id = newId("run", now);
    const policy = wholePolicy(body.executionPolicy, settings, id);
    await checked(policy, settings);
    const prompt = promptArtifact(body.prompt, now);
    const command = { id: newId("cmd", now), index: 0, type: "turn" as const, prompt, preview: previewOf(prompt.body) };
    const events = [
      prepare(
        {
          type: "run_queued",
          payload: {
            chunks: 0,
            documents: 1,
            revision: route.revision,
            models: [`${settings.name}/${model}`],
            workflow: body.workflow,
          },
        },
        now,
      ),
      prepare(queuedEvent(command, command.preview), now),
    ];
    await writer.commit([
      {
        sql: "insertRun",
        args: [
          id,
          "thread",
          redactor.text(body.name ?? firstLine(prompt.body)),
          isoTime(now).slice(0, 10),
          settings.name,
          model,
          JSON.stringify(RUN_OPTION_DEFAULTS),
          null,
          route.revision,
          JSON.stringify([route]),
          "",
          JSON.stringify(EMPTY_PREP),
          0,
          0,
          now,
          now,
        ],
      },
      { sql: "insertThread", args: [id, body.workflow, JSON.stringify(policy), policy.workspace] },
      artifactOp(id, now, [prompt]),
      insertCommand(id, command, "queued", now),
      ...appendEventOps(id, events),
      moveRunOp(id, events.length, now),
    ]);
    deps.kick();
    return get(id);
  }

  /** One try: a turn that is queued, or an interrupt of the one under way. */
  async function place(runId: string, order: AgentCommandOrder): Promise<{ commandId: string; outcome: Ordered }> {
    const now = clock.now();
    const { nextIndex: index, isRunning } = await reads.commandState(runId);
    const command = { id: newId("cmd", now), index, type: order.type };
    const placed = (outcome: Ordered) => ({ commandId: command.id, outcome });
    if (order.type === "turn") {
      const prompt = promptArtifact(order.prompt, now);
      const preview = previewOf(prompt.body);
      const events = [prepare(queuedEvent(command, preview), now)];
      return placed(await queueTurn(writer, runId, { ...command, prompt, preview }, TURN_FROM, now, events));
    }
    if (!isRunning) return placed("refused");
    const preview = redactor.text(order.reason ?? "Interrupted by the operator.");
    const events = [prepare(queuedEvent(command, preview), now)];
    return placed(await askInterrupt(writer, runId, { ...command, prompt: null, preview }, now, events));
  }

  return {
    create,
    get,
    writing: deps.writing,
    async command(id, order) {
      const run = await agentRun(id);
      if (order.type === "turn" && !(TURN_FROM as readonly string[]).includes(run.status)) throw cannotGoOn(run);
      for (;;) {
        const { commandId, outcome } = await place(id, order);
        // Somebody else was faster: the next place is free.
        if (outcome === "late") continue;
        if (outcome === "refused" && order.type === "interrupt" && (await deps.endCommands(id)) > 0) return reads.lastTurn(id);
        if (outcome === "refused") throw refusal(order.type, await runs.summary(id));
        deps.kick();
        return reads.command(commandId);
      }
    },
    async decide(id, approvalId, { decision, by }) {
      await agentRun(id);
      const now = clock.now();
      const approval = await reads.approval(id, approvalId);
      if (!approval)
        throw new AppError("not_found", `This run has no question ${approvalId}.`, { details: { approval: approvalId } });
      const status = decision === "accept" ? "accepted" : "declined";
      const who = redactor.text(by ?? "operator");
      const event = prepare(
        { type: "approval_resolved", payload: { approvalId, commandId: approval.commandId, status, by: who } },
        now,
      );
      const decided = await decideApproval(writer, id, { id: approvalId, status, by: who }, now, [event]);
      const after = await reads.approval(id, approvalId);
      if (!decided || !after)
        throw new AppError(
          "conflict",
          `The question is closed already: it is ${after?.status === "pending" ? "past its deadline" : after?.status}.`,
          {
            details: { status: after?.status },
          },
        );
      deps.kick();
      return after;
    },
    async cancel(id, reason) {
      const run = await agentRun(id);
      const now = clock.now();
      const why = redactor.text(reason ?? "Cancelled by the operator.");
      const event = prepare({ type: "run_cancelled", payload: { reason: why, cancellationReason: "user_requested" } }, now);
      if (!(await cancelThread(writer, id, why, AGENT_CANCEL_FROM, now, [event])))
        throw new AppError("conflict", `A run that is ${run.status} cannot be cancelled.`, { details: { status: run.status } });
      deps.kick();
      return get(id);
    },
  };
}

function queuedEvent({ id, index, type }: Pick<NewCommand, "id" | "index" | "type">, text: string): NewEvent {
  return { type: "command_queued", payload: { commandId: id, index, type, text } };
}

function previewOf(text: string): string {
  return text.length > PROMPT_PREVIEW ? `${text.slice(0, PROMPT_PREVIEW)}…` : text;
}

function firstLine(text: string): string {
  return (text.trim().split("\n")[0] ?? "").slice(0, 80) || "Agent run";
}

function notAnAgentRun(id: string): AppError {
  return new AppError("conflict", `The run ${id} is no agent run.`, { details: { run: id } });
}

function refusal(type: "turn" | "interrupt", run: RunSummary): AppError {
  if (type === "turn") return cannotGoOn(run);
  return new AppError(
    "conflict",
    `No turn of this run is under way (it is ${run.status}) and none left a command running here, so there is nothing to interrupt.`,
    {
      details: { status: run.status },
    },
  );
}

function cannotGoOn(run: RunSummary): AppError {
  const why =
    run.status === "blocked"
      ? "its policy stopped it; start a new run with another policy"
      : "its conversation is over; start a new run";
  return new AppError("conflict", `A run that is ${run.status} takes no further turn: ${why}.`, {
    details: { status: run.status },
  });
}
