// What the fake app-server says when it repeats its key: in every spelling, wherever a runtime can write.

export function spellings(key) {
  const encoded = (text) => Buffer.from(text).toString("base64");
  return [
    key,
    JSON.stringify(key).slice(1, -1),
    encodeURIComponent(key),
    new URLSearchParams({ v: key }).toString().slice(2),
    Buffer.from(key).toString("hex"),
    encoded(key),
    encoded(`a:${key}`),
    encoded(`Bearer ${key}`),
  ].join(" and then ");
}

/** Pairs of method and parameters. */
export function leakingFrames(ids, key) {
  const all = spellings(key);
  const command = {
    type: "commandExecution",
    id: `call_${key}`,
    command: `echo ${all}`,
    cwd: `/${key}`,
    processId: key,
    status: "inProgress",
  };
  const change = {
    type: "fileChange",
    id: `change_${key}`,
    status: "completed",
    changes: [{ path: `/${key}`, diff: `+${all}` }],
  };
  const long = { ...command, id: "call_long" };
  // Long enough for its event to be cut, with the key across the cuts.
  const output = `${"x".repeat(8_000)}${all}\n`.repeat(5);
  return [
    ["item/started", { item: command, ...ids }],
    ["item/commandExecution/outputDelta", { ...ids, itemId: command.id, delta: all.slice(0, 11) }],
    ["item/commandExecution/outputDelta", { ...ids, itemId: command.id, delta: all.slice(11) }],
    ["item/completed", { item: { ...command, status: "failed", exitCode: 1, aggregatedOutput: all }, ...ids }],
    ["item/completed", { item: { ...long, status: "completed", exitCode: 0, aggregatedOutput: output }, ...ids }],
    ["item/completed", { item: change, ...ids }],
    ["turn/diff/updated", { ...ids, diff: `+${all}` }],
    [
      "error",
      {
        ...ids,
        error: { message: all, codexErrorInfo: { [key]: { httpStatusCode: null } }, additionalDetails: all },
        willRetry: true,
      },
    ],
    ["item/completed", { item: { type: "mcpToolCall", id: key, server: key, tool: key, status: "failed" }, ...ids }],
    ["item/completed", { item: { type: key, id: key, text: all }, ...ids }],
    [`leak/${key}`, { ...ids, text: all }],
  ];
}
