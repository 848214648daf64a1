type ClassValue = string | false | null | undefined;

/** Joins the class names that apply. Callers do not override utilities of a primitive; they choose a variant. */
export function classNames(...values: ClassValue[]): string {
  return values.filter(Boolean).join(" ");
}
