/** Events pushed on one side and pulled on the other, in order, without a limit: whoever pushes bounds what a turn may say. */
export interface EventStream<T> {
  push(value: T): void;
  end(): void;
  readonly values: AsyncIterable<T>;
}

export function createEventStream<T>(): EventStream<T> {
  const waiting: T[] = [];
  let ended = false;
  let wake: (() => void) | null = null;
  const signal = () => {
    wake?.();
    wake = null;
  };
  async function* pull(): AsyncGenerator<T> {
    for (;;) {
      const [first] = waiting;
      if (waiting.length > 0) {
        waiting.shift();
        // Present: the length says so, and a pushed `undefined` is a value as well.
        yield first as T;
      } else if (ended) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }
  return {
    push(value) {
      waiting.push(value);
      signal();
    },
    end() {
      ended = true;
      signal();
    },
    values: pull(),
  };
}
