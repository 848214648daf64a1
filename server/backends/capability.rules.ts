/** What an adapter can do for a request: declared by it, checked on demand, and seen in real runs. */
export const CAPABILITIES = ["streaming", "usage", "structuredOutput", "cancel"] as const;
export type Capability = (typeof CAPABILITIES)[number];

/**
 * What a check finds of one. `not_seen`: the answer could not tell (it was too short, or over too soon); `not_checked`: no answer
 * came that could have.
 */
export const CHECK_OUTCOMES = ["works", "failed", "not_seen", "not_checked"] as const;
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number];

/** Tokens that the one whole answer of a capability check may cost: reasoning models think before they say a hundred. */
export const CHECK_ANSWER_TOKENS = 1_024;
/** The same for the answer that is called off, should calling it off not end it. */
export const CHECK_CANCEL_TOKENS = 256;
