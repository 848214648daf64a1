/** Meaning of a colour. Each tone is three CSS variables (text, soft, mark) in both themes; the class sets them for what is inside. */
export const TONES = ["neutral", "waiting", "active", "retry", "success", "danger", "cancelled", "warning"] as const;
export type Tone = (typeof TONES)[number];

/** Whole class names, so that the style sheet is built with them. */
export const TONE_CLASS = {
  neutral: "tone-neutral",
  waiting: "tone-waiting",
  active: "tone-active",
  retry: "tone-retry",
  success: "tone-success",
  danger: "tone-danger",
  cancelled: "tone-cancelled",
  warning: "tone-warning",
} as const satisfies Record<Tone, string>;

/** The second sign beside colour, for bars. */
const PATTERNS = ["solid", "hollow", "outlined", "striped", "hatched", "dotted"] as const;
export type Pattern = (typeof PATTERNS)[number];

export const PATTERN_CLASS = {
  solid: "pattern-solid",
  hollow: "pattern-hollow",
  outlined: "pattern-outlined",
  striped: "pattern-striped",
  hatched: "pattern-hatched",
  dotted: "pattern-dotted",
} as const satisfies Record<Pattern, string>;
