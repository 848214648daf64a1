/**
 * UTF-8 bytes of text in one answer. A longer one is no list of insights and is refused: by an adapter as soon as it has
 * read that much, by whoever judges the answer when the adapter does not stream.
 */
export const ANSWER_TEXT_LIMIT = 4 * 1024 * 1024;
