export const openclawSentencesEnglish = {
  "openclaw.noReason": "{provider}: the run failed and the gateway says no reason.",
  "openclaw.otherProtocol":
    "{provider}: the OpenClaw gateway speaks protocol {protocol} and this version only 4; use a gateway that is known here.",
  "openclaw.noProtocol":
    "{provider}: the OpenClaw gateway does not speak protocol 4, the only one known here; use a gateway that is known here.",
  "openclaw.refusedToken": "{provider}: the gateway refuses the token: {words}",
  "openclaw.paired":
    "{provider}: the gateway wants a paired device, and this server is none; reach it on loopback, for example through an SSH tunnel.",
  "openclaw.missingRight":
    "{provider}: the gateway did not grant the right {right}, which a run needs; reach it on loopback, for example through an SSH tunnel.",
  "openclaw.inFlight": "{provider}: the gateway runs a request of this id already; no model was asked.",
  "openclaw.answeredItself": "{provider}: the gateway answered by itself and asked no model.",
  "openclaw.askedAgain":
    "{provider}: the model's first answer failed, and the gateway asked again without the request; what came then answers nothing.",
  "openclaw.calledOff": "{provider}: the run was called off at the gateway.",
  "openclaw.noVersion": "{provider}: what answered says no version of OpenClaw; it is no gateway that is known here.",
  "openclaw.tooOld":
    "{provider}: the OpenClaw gateway is {version}, older than {oldest}, the oldest that is known here. {reason}",
  "openclaw.tooNew":
    "{provider}: the OpenClaw gateway is {version}, newer than what is known here, which ends before {before}. {reason}",
  "openclaw.hint": "Use {package}.",
  "webSocket.noConnection": "no connection within {milliseconds} ms",
  "webSocket.answered": "there is no WebSocket at this address: it answered {status} to the handshake",
  "webSocket.wrongProof": "the handshake was answered wrongly: what is there is no WebSocket",
  "webSocket.closed": "the connection was closed",
  "webSocket.closedWith": "the connection was closed ({code})",
  "webSocket.tooLong": "one message is longer than {bytes} bytes, which are accepted at most",
  "webSocket.notUtf8": "a message is not valid UTF-8",
  "webSocket.binary": "a frame is binary where text is expected",
  "webSocket.unknownKind": "a frame is of an unknown kind",
  "webSocket.extension": "a frame uses an extension that was not agreed on",
  "webSocket.mask": "a frame is masked in the wrong way",
  "webSocket.control": "a control frame is too long or in pieces",
  "webSocket.order": "the pieces of a message are out of order",
} as const;
