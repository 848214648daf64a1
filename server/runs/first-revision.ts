import type { ConfigRevisionsStore } from "@/server/config/config-revisions.store";
import type { Clock } from "@/server/shared/clock";

export interface FirstRevisionDeps {
  store: ConfigRevisionsStore;
  /** What the environment alone gives. */
  first: { text: string; problems: string[] };
  clock: Clock;
}

/**
 * Sees to it that there is a document. A fresh installation gets the environment's; one that nobody has edited since follows the
 * environment when it gains a provider. Returns sentences worth a warning.
 */
export async function startConfiguration({ store, first, clock }: FirstRevisionDeps): Promise<string[]> {
  const number = await store.newestNumber();
  const newest = number === 0 ? null : await store.get(number);
  if (newest && newest.source !== "start") return [];
  // A command without the server's variables must not take the server's provider away.
  const gained = newest !== null && newest.text !== first.text && hasProvider(first.text) && !hasProvider(newest.text);
  if (newest && !gained) return newest.text === first.text ? first.problems : [];
  const comment = newest ? "The environment names an API now" : "First start";
  // False = another process was first with the same.
  await store.append(
    { text: first.text, author: "Switchyard", comment, source: "start", rolledBackTo: null },
    number + 1,
    clock.now(),
  );
  return first.problems;
}

function hasProvider(text: string): boolean {
  return /^providers:/m.test(text);
}
