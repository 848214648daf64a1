/** The document that is meant: a draft's text, or a saved revision. */
export type DocumentChoice = { text: string; revision?: undefined } | { revision: number; text?: undefined };
