/** `/bin/bash -lc '…'`, as runtimes write the command they run through a shell. */
const THROUGH_SHELL = /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c (?<quoted>'.*'|".*"|[^\s'"]\S*)$/s;
/** A quote inside single quotes, in the two ways that shells know. */
const INNER_QUOTE = /'(?:\\'|"'")'/g;

/** What a backslash may stand before inside double quotes. */
const ESCAPED = /\\([\\"$`])/g;

/** The command without the shell that runs it; as it is where it cannot be told for certain. */
export function shownCommand(command: string): string {
  const quoted = THROUGH_SHELL.exec(command)?.groups?.quoted;
  if (quoted === undefined) return command;
  if (quoted.startsWith("'")) {
    const inner = quoted.slice(1, -1).replace(INNER_QUOTE, "\0");
    return inner.includes("'") ? command : inner.replaceAll("\0", "'");
  }
  if (!quoted.startsWith('"')) return /["'\\$`]/.test(quoted) ? command : quoted;
  const inner = quoted.slice(1, -1);
  // What a shell would expand is shown as it was written.
  return /["$`]|\\$/.test(inner.replace(ESCAPED, "")) ? command : inner.replace(ESCAPED, "$1");
}

/** A path as it stands in the workspace; others stay whole. */
export function shownPath(path: string, workspace: string): string {
  const folder = workspace.endsWith("/") ? workspace : `${workspace}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}
