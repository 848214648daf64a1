/** Events pushed on one side and pulled on the other, in order, without a limit: whoever pushes bounds what a turn may say. */
export interface EventStream<T> {
  push(value: T): void;
  end(): void;
  /** Resolves once whoever pulls has dealt with all that was pushed, or when nobody will: the stream has ended, or was left. */
  drained(): Promise<void>;
  readonly values: AsyncIterable<T>;
}

export function createEventStream<T>(): EventStream<T> {
  const waiting: T[] = [];
  let ended = false;
  let wake: (() => void) | null = null;
  let isLeft = false;
  const onDrained: (() => void)[] = [];
  const drain = () => {
    for (const callback of onDrained.splice(0)) callback();
  };
  const signal = () => {
    wake?.();
    wake = null;
  };
  async function* pull(): AsyncGenerator<T> {
    try {
      for (;;) {
        while (waiting.length > 0) {
          // Present: the length says so, and a pushed `undefined` is a value as well.
          yield waiting.shift() as T;
        }
        // Asking for the next one says that the last one is dealt with.
        drain();
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      isLeft = true;
      drain();
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
      drain();
    },
    drained: () =>
      new Promise<void>((resolve) => {
        if (ended || isLeft || (waiting.length === 0 && wake !== null)) resolve();
        else onDrained.push(resolve);
      }),
    values: pull(),
  };
}
