import type { NewEvent } from "./event.schema";
import type { Redactor } from "./redact";

/** The event with its payload redacted, for adapters: what they say holds no secret, whoever hears it. */
export function redactEvent(event: NewEvent, redactor: Redactor): NewEvent {
  // The payload keeps its form: only strings in it change.
  return { ...event, payload: redactor.json(event.payload) } as NewEvent;
}
