/** Whether an entry of `output.insights` is an insight: the answer of `insightSchema`, without making a copy of the entry. */
export function isInsight(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return false;
  // An object of JSON: its fields may be anything.
  const { content, topic, section, date, quote } = entry as Readonly<Record<string, unknown>>;
  return (
    isContent(content) &&
    isShortOrNone(topic, LIMITS.topic) &&
    isShortOrNone(section, LIMITS.section) &&
    isShortOrNone(date, LIMITS.date) &&
    isShortOrNone(quote, LIMITS.quote)
  );
}

/** Code points, as in `insightSchema`; the test holds the two together. */
const LIMITS = { content: 4000, topic: 200, section: 80, date: 40, quote: 8000 } as const;

function isContent(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const content = value.trim();
  return content !== "" && fits(content, LIMITS.content);
}

function isShortOrNone(value: unknown, limit: number): boolean {
  return value === undefined || value === null || (typeof value === "string" && fits(value, limit));
}

/** A code point has one or two units, so most texts need no counting. */
function fits(text: string, limit: number): boolean {
  if (text.length <= limit) return true;
  return text.length <= 2 * limit && [...text].length <= limit;
}
