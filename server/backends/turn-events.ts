/** What every turn says of itself, in one form for all adapters. */
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { Turn, TurnSink } from "./backend";

export interface TurnEvents {
  /** `started` before anything is sent, `working` once the runtime has taken the request, `responding` at the first sign of an answer. */
  status(phase: string): void;
  /** What the model said, redacted by the caller. `final`: it is the reply; else it is kept as text that answers nothing. */
  say(text: string, final: boolean): void;
}

export function turnEventsOf(
  { name, kind }: Pick<ProviderSettings, "name" | "kind">,
  { requestId, model }: Pick<Turn, "requestId" | "model">,
  sink: TurnSink,
): TurnEvents {
  return {
    status: (phase) =>
      sink.event({
        type: "backend_status",
        payload: { phase, backend: name, backendKind: kind, protocol: BACKEND_KIND_FACTS[kind].protocol, model },
      }),
    say: (text, final) =>
      sink.event({
        type: "assistant_message",
        payload: {
          text,
          itemId: `${requestId}-message-0`,
          messageIndex: 0,
          messageCount: 1,
          replyAuthority: final,
          final,
        },
      }),
  };
}
