/** How a date is written: 2026-04-19. */
export const SOURCE_DATE_FORM = /^\d{4}-\d{2}-\d{2}$/;

/** Whether it is written as a date and is a day of the calendar. */
export function isSourceDate(value: string): boolean {
  const time = Date.parse(`${value}T00:00:00Z`);
  return SOURCE_DATE_FORM.test(value) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
