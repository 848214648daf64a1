import type { english } from "./english/dictionary";

// Types only: whoever imports a dictionary by value sends the whole of it to every page.
export type MessageKey = keyof typeof english;
export type Dictionary = Readonly<Record<MessageKey, string>>;
