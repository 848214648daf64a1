// The frames of the fake app-server, in the form and order of the recordings of codex-cli 0.171.0.

/** What the CLI says after `initialize`. */
export function greeting(id, { clientInfo }, codexHome) {
  const userAgent = `${clientInfo?.name ?? "unknown"}/0.171.0 (fake) unknown (${clientInfo?.name}; ${clientInfo?.version})`;
  return [
    { id, result: { userAgent, codexHome, platformFamily: "unix", platformOs: "linux" } },
    { method: "configWarning", params: { summary: "This is a fake.", details: null }, emittedAtMs: Date.now() },
    {
      method: "remoteControl/status/changed",
      params: { status: "disabled", serverName: "fake", installationId: "fake", environmentId: null },
      emittedAtMs: Date.now(),
    },
  ];
}

/** A thread, and the whole result of starting or resuming it with these parameters. */
export function threadOf(id, { cwd = process.cwd(), model = "fake-model", modelProvider = "profile", approvalPolicy, sandbox }) {
  const seconds = Math.floor(Date.now() / 1000);
  const thread = {
    id,
    sessionId: id,
    preview: "",
    ephemeral: false,
    modelProvider,
    model,
    createdAt: seconds,
    updatedAt: seconds,
    status: { type: "idle" },
    path: null,
    cwd,
    cliVersion: "0.171.0",
    source: "vscode",
    turns: [],
  };
  const result = {
    thread,
    model,
    modelProvider,
    cwd,
    approvalPolicy: approvalPolicy ?? "never",
    sandbox: { type: sandbox === "danger-full-access" ? "dangerFullAccess" : "readOnly", networkAccess: false },
  };
  return { thread, result };
}

/** Pairs of method and parameters for one turn. */
export function turnFrames(threadId, turnId, freshId) {
  const startedMs = Date.now();
  const seconds = () => Math.floor(Date.now() / 1000);
  const ids = { threadId, turnId };
  let lastMessage = null;
  let spoken = 0;
  const messageId = () => `msg_${turnId.slice(-4)}_${spoken}`;
  const message = (text) => ({ type: "agentMessage", id: messageId(), text, phase: null });
  const delta = (piece) => ["item/agentMessage/delta", { ...ids, itemId: messageId(), delta: piece }];
  const started = (item) => ["item/started", { item, ...ids, startedAtMs: Date.now() }];
  const completed = (item) => ["item/completed", { item, ...ids, completedAtMs: Date.now() }];

  const turn = (status, error = null, items = []) => ({
    id: turnId,
    items,
    itemsView: items.length > 0 ? "summary" : "notLoaded",
    status,
    error,
    startedAt: Math.floor(startedMs / 1000),
    completedAt: status === "inProgress" ? null : seconds(),
    durationMs: status === "inProgress" ? null : Date.now() - startedMs,
  });

  return {
    threadId,
    turnId,
    turn,
    delta,
    output: (text) => ["item/commandExecution/outputDelta", { ...ids, itemId: "call_fake", delta: text }],
    beginning(prompt) {
      const item = { type: "userMessage", id: freshId(), content: [{ type: "text", text: prompt, text_elements: [] }] };
      return [
        ["thread/status/changed", { threadId, status: { type: "active", activeFlags: [] } }],
        ["turn/started", { threadId, turn: turn("inProgress") }],
        started(item),
        completed(item),
      ];
    },
    /** The beginning of a message that gets no further. */
    unfinished(text) {
      spoken++;
      return [started(message("")), delta(text)];
    },
    message(text, isWithoutEnd) {
      spoken++;
      const half = Math.ceil(text.length / 2);
      const pieces = [text.slice(0, half), text.slice(half)].filter((piece) => piece !== "");
      if (isWithoutEnd) return [started(message("")), ...pieces.map(delta)];
      lastMessage = message(text);
      return [started(message("")), ...pieces.map(delta), completed(lastMessage)];
    },
    end(status, error) {
      const usage = { totalTokens: 18, inputTokens: 11, cachedInputTokens: 0, outputTokens: 7, reasoningOutputTokens: 0 };
      return [
        ["thread/tokenUsage/updated", { ...ids, tokenUsage: { total: usage, last: usage, modelContextWindow: 121_600 } }],
        ["account/rateLimits/updated", { rateLimits: { limitId: "codex", primary: null, secondary: null, planType: null } }],
        ["thread/status/changed", { threadId, status: { type: status === "failed" ? "systemError" : "idle" } }],
        ["turn/completed", { threadId, turn: turn(status, error, status === "completed" && lastMessage ? [lastMessage] : []) }],
      ];
    },
    command(name) {
      const item = {
        type: "commandExecution",
        id: `call_${turnId.slice(-4)}_${name}`,
        command: "/bin/bash -c 'true'",
        cwd: process.cwd(),
        processId: "1001",
        source: "unifiedExecStartup",
        status: "inProgress",
        commandActions: [{ type: "unknown", command: "true" }],
        aggregatedOutput: null,
        exitCode: null,
        durationMs: null,
      };
      return {
        id: item.id,
        started: started(item),
        ended: (exitCode, aggregatedOutput) =>
          completed({ ...item, status: exitCode === 0 ? "completed" : "failed", exitCode, aggregatedOutput, durationMs: 1 }),
        declined: completed({ ...item, status: "declined" }),
      };
    },
  };
}

/** Parameters of a request to the client; of one that is not known here, as much as all have. */
export function requestParameters(method, { threadId, turnId, itemId }) {
  const ids = { threadId, turnId, itemId };
  const cwd = process.cwd();
  switch (method) {
    case "item/commandExecution/requestApproval":
      return { kind: "command", ...ids, reason: "the fake needs it", command: "/bin/bash -c 'true'", cwd, commandActions: [] };
    case "item/fileChange/requestApproval":
      return { ...ids, reason: null, grantRoot: null };
    case "item/permissions/requestApproval":
      return { ...ids, cwd, reason: "the fake needs it", permissions: { network: { enabled: true }, fileSystem: null } };
    case "item/tool/requestUserInput":
      return {
        ...ids,
        questions: [{ id: "q1", header: "Choice", question: "Which?", options: [{ label: "A", description: "A" }] }],
      };
    case "item/tool/call":
      return { threadId, turnId, callId: itemId, namespace: null, tool: "lookup_ticket", arguments: {} };
    case "mcpServer/elicitation/request":
      return {
        threadId,
        turnId,
        serverName: "fake",
        environmentId: null,
        mode: "form",
        _meta: null,
        message: "Which?",
        requestedSchema: { type: "object", properties: {} },
      };
    case "execCommandApproval":
      return { conversationId: threadId, callId: itemId, approvalId: null, command: ["true"], cwd, reason: null, parsedCmd: [] };
    case "applyPatchApproval":
      return { conversationId: threadId, callId: itemId, fileChanges: {}, reason: null, grantRoot: null };
    case "account/chatgptAuthTokens/refresh":
      return { reason: "unauthorized", previousAccountId: null };
    case "attestation/generate":
      return {};
    default:
      return { ...ids, deep: { value: [1, 2, 3] } };
  }
}
