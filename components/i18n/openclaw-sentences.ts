import type { MessageKey } from "./messages";

/** What the server says of OpenClaw gateways; see server-sentences.ts. */
export const OPENCLAW_SENTENCES: readonly [RegExp, MessageKey][] = [
  [/^(?<provider>\S+): the run failed and the gateway says no reason\.$/, "openclaw.noReason"],
  [
    /^(?<provider>\S+): the OpenClaw gateway speaks protocol (?<protocol>\d+) and this version only 4; use a gateway that is known here\.$/,
    "openclaw.otherProtocol",
  ],
  [
    /^(?<provider>\S+): the OpenClaw gateway does not speak protocol 4, the only one known here; use a gateway that is known here\.$/,
    "openclaw.noProtocol",
  ],
  [/^(?<provider>\S+): the gateway refuses the token: (?<words>.+)$/s, "openclaw.refusedToken"],
  [
    /^(?<provider>\S+): the gateway wants a paired device, and this server is none; reach it on loopback, for example through an SSH tunnel\.$/,
    "openclaw.paired",
  ],
  [
    /^(?<provider>\S+): the gateway did not grant the right (?<right>\S+), which a run needs; reach it on loopback, for example through an SSH tunnel\.$/,
    "openclaw.missingRight",
  ],
  [/^(?<provider>\S+): the gateway runs a request of this id already; no model was asked\.$/, "openclaw.inFlight"],
  [/^(?<provider>\S+): the gateway answered by itself and asked no model\.$/, "openclaw.answeredItself"],
  [
    /^(?<provider>\S+): the model's first answer failed, and the gateway asked again without the request; what came then answers nothing\.$/,
    "openclaw.askedAgain",
  ],
  [/^(?<provider>\S+): the run was called off at the gateway\.$/, "openclaw.calledOff"],
  [/^(?<provider>\S+): what answered says no version of OpenClaw; it is no gateway that is known here\.$/, "openclaw.noVersion"],
  [
    /^(?<provider>\S+): the OpenClaw gateway is (?<version>\S+), older than (?<oldest>\S+), the oldest that is known here\. (?<reason>.+)$/s,
    "openclaw.tooOld",
  ],
  [
    /^(?<provider>\S+): the OpenClaw gateway is (?<version>\S+), newer than what is known here, which ends before (?<before>\S+)\. (?<reason>.+)$/s,
    "openclaw.tooNew",
  ],
  [/^Use (?<package>\S+)\.$/, "openclaw.hint"],
  // Of the connection.
  [/^no connection within (?<milliseconds>\d+) ms$/, "webSocket.noConnection"],
  [/^there is no WebSocket at this address: it answered (?<status>\d+) to the handshake$/, "webSocket.answered"],
  [/^the handshake was answered wrongly: what is there is no WebSocket$/, "webSocket.wrongProof"],
  [/^the connection was closed$/, "webSocket.closed"],
  [/^the connection was closed \((?<code>\d+)\)$/, "webSocket.closedWith"],
  [/^one message is longer than (?<bytes>\d+) bytes, which are accepted at most$/, "webSocket.tooLong"],
  [/^a message is not valid UTF-8$/, "webSocket.notUtf8"],
  [/^a frame is binary where text is expected$/, "webSocket.binary"],
  [/^a frame is of an unknown kind$/, "webSocket.unknownKind"],
  [/^a frame uses an extension that was not agreed on$/, "webSocket.extension"],
  [/^a frame is masked in the wrong way$/, "webSocket.mask"],
  [/^a control frame is too long or in pieces$/, "webSocket.control"],
  [/^the pieces of a message are out of order$/, "webSocket.order"],
];
