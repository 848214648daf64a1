// Plays the CLI's side of a recording: what the CLI said stands still until the client has said what it said then.

/**
 * Requests of the client are matched by method, its answers by our request's id; frames go out with the ids this client uses. A
 * request that the recording does not have next is refused and named on stderr. The end is the recorded one; a peaceful end waits
 * for the client to close its side.
 */
export async function replay({ recording, lines, send, complain, leave }) {
  const heard = [];
  let wake = () => undefined;
  let isOpen = true;
  lines.on("line", (line) => {
    heard.push(JSON.parse(line));
    wake();
  });
  lines.on("close", () => {
    isOpen = false;
    wake();
  });

  /** The next frame of the client that is what the recording has; undefined when the client has left. */
  async function next(isIt) {
    for (;;) {
      while (heard.length > 0) {
        const frame = heard.shift();
        if (isIt(frame)) return frame;
        if (frame.method !== undefined && frame.id !== undefined) {
          complain(`the recording has no ${frame.method} here`);
          await send({ id: frame.id, error: { code: -32_600, message: `the recording has no ${frame.method} here` } });
        }
      }
      if (!isOpen) return undefined;
      await new Promise((resolve) => {
        wake = resolve;
      });
    }
  }

  /** This client's ids by those of the recording. */
  const ids = new Map();
  for (const { dir, frame } of recording) {
    if (dir === "err") complain(frame);
    else if (dir === "in") await send(frame.method === undefined ? { ...frame, id: ids.get(frame.id) ?? frame.id } : frame);
    else if (dir === "out") {
      const said = await next(({ method, id }) =>
        frame.method === undefined ? id === frame.id && method === undefined : method === frame.method,
      );
      if (said === undefined) return leave(0);
      if (frame.method !== undefined && frame.id !== undefined) ids.set(frame.id, said.id);
    } else if (dir === "exit") {
      if (frame.code === 0) await next(() => false);
      return leave(frame.signal ?? frame.code);
    }
  }
}
