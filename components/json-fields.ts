/** The fields of a JSON object; none when the value is anything else. */
export function jsonFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
