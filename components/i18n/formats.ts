import type { Locale, Zone } from "./locale";

/** A date-time of the API (ISO-8601) or epoch milliseconds. */
export type Moment = string | number;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BYTE_STEP = 1024;
const BYTE_UNITS = ["B", "KiB", "MiB", "GiB"] as const;
/** Younger than this is "now": more would contradict a duration that stands beside it. */
const NOW_BEFORE_MS = SECOND;
/** So far ahead is "now" too: the clocks of server and browser differ. */
const NOW_AHEAD_MS = 10 * SECOND;

const INTL_LOCALES = { en: "en-GB", zh: "zh-CN" } as const satisfies Record<Locale, string>;

function epoch(moment: Moment): number {
  return typeof moment === "number" ? moment : Date.parse(moment);
}

/** Everything that writes numbers and times for people, in one language and one zone. */
export function createFormats(locale: Locale, zone: Zone) {
  const intl = INTL_LOCALES[locale];
  const timeZone = zone === "utc" ? { timeZone: "UTC" } : {};
  const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  const numbers = new Intl.NumberFormat(intl);
  const compact = new Intl.NumberFormat(intl, { notation: "compact", maximumFractionDigits: 1 });
  const absolute = new Intl.DateTimeFormat(intl, {
    ...timeZone,
    ...clock,
    year: "numeric",
    month: "short",
    day: "numeric",
    // The offset is known for UTC; its name says more than "GMT+0".
    timeZoneName: zone === "utc" ? "short" : "shortOffset",
  });
  const clockOnly = new Intl.DateTimeFormat(intl, { ...timeZone, ...clock });
  const offset = new Intl.DateTimeFormat(intl, { ...timeZone, hour: "2-digit", timeZoneName: "shortOffset" });
  const relative = new Intl.RelativeTimeFormat(intl, { numeric: "always", style: "short" });
  const justNow = new Intl.RelativeTimeFormat(intl, { numeric: "auto" });
  const lists = new Intl.ListFormat(intl, { type: "conjunction" });
  const percent = new Intl.NumberFormat(intl, { style: "percent" });
  const sizes = new Intl.NumberFormat(intl, { maximumFractionDigits: 1 });
  const amounts = new Map<string, Intl.NumberFormat>();
  const units = new Map<string, Intl.NumberFormat>();
  const unit = (value: number, name: string, digits = 0) => {
    const key = `${name} ${digits}`;
    const format =
      units.get(key) ??
      new Intl.NumberFormat(intl, { style: "unit", unit: name, unitDisplay: "narrow", maximumFractionDigits: digits });
    units.set(key, format);
    return format.format(value);
  };

  return {
    formatNumber: (value: number) => numbers.format(value),
    /** 12.3K; put the whole number in a title. */
    formatCompact: (value: number) => compact.format(value),
    /** A part of one as a whole percentage, rounded down: 100 % is said only when all is done. */
    formatPercent: (fraction: number) => percent.format(Math.floor(Math.min(Math.max(fraction, 0), 1) * 100) / 100),
    /** Date, time and offset of the zone: 30 Nov 2026, 12:24:23 GMT+8. */
    formatTime: (moment: Moment) => absolute.format(epoch(moment)),
    /** Hours, minutes, seconds. */
    formatClock: (moment: Moment) => clockOnly.format(epoch(moment)),
    /** GMT+8, or UTC. */
    formatZone: (moment: Moment) =>
      zone === "utc" ? "UTC" : (offset.formatToParts(epoch(moment)).find((part) => part.type === "timeZoneName")?.value ?? ""),
    /** "5 min ago", "in 2 hr"; rounded down like a duration, so that the two agree; less than a second ago is "now". */
    formatRelative: (moment: Moment, now: number) => {
      const difference = epoch(moment) - now;
      const size = Math.abs(difference);
      if (difference > -NOW_BEFORE_MS && difference < NOW_AHEAD_MS) return justNow.format(0, "second");
      if (size < MINUTE) return relative.format(Math.trunc(difference / SECOND), "second");
      if (size < HOUR) return relative.format(Math.trunc(difference / MINUTE), "minute");
      if (size < DAY) return relative.format(Math.trunc(difference / HOUR), "hour");
      return relative.format(Math.trunc(difference / DAY), "day");
    },
    /** A length of time in milliseconds; never negative, whatever two clocks say. */
    formatDuration: (milliseconds: number) => {
      const length = Math.max(0, milliseconds);
      if (length < SECOND) return unit(Math.round(length), "millisecond");
      if (length < 10 * SECOND) return unit(length / SECOND, "second", 1);
      if (length < MINUTE) return unit(Math.floor(length / SECOND), "second");
      if (length < HOUR)
        return `${unit(Math.floor(length / MINUTE), "minute")} ${unit(Math.floor((length % MINUTE) / SECOND), "second")}`;
      if (length < DAY)
        return `${unit(Math.floor(length / HOUR), "hour")} ${unit(Math.floor((length % HOUR) / MINUTE), "minute")}`;
      return `${unit(Math.floor(length / DAY), "day")} ${unit(Math.floor((length % DAY) / HOUR), "hour")}`;
    },
    formatBytes: (bytes: number) => {
      let size = bytes;
      let step = 0;
      while (size >= BYTE_STEP && step < BYTE_UNITS.length - 1) {
        size /= BYTE_STEP;
        step++;
      }
      return `${sizes.format(size)} ${BYTE_UNITS[step]}`;
    },
    /** An amount of money. Hundredths for what is worth them, else the first three digits that are not 0: nothing that was paid reads as 0. */
    formatMoney: (amount: number, currency: string) => {
      const kind = amount === 0 || amount >= 1 ? "whole" : amount >= 0.1 ? "parts" : "small";
      const key = `${currency} ${kind}`;
      const digits = { whole: {}, parts: { maximumFractionDigits: 3 }, small: { maximumSignificantDigits: 3 } }[kind];
      const format = amounts.get(key) ?? new Intl.NumberFormat(intl, { style: "currency", currency, ...digits });
      amounts.set(key, format);
      return format.format(amount);
    },
    /** A price as it is written, not rounded. */
    formatPrice: (amount: number, currency: string) => {
      const key = `${currency} exact`;
      const format = amounts.get(key) ?? new Intl.NumberFormat(intl, { style: "currency", currency, maximumFractionDigits: 10 });
      amounts.set(key, format);
      return format.format(amount);
    },
    formatList: (items: readonly string[]) => lists.format(items),
  };
}

export type Formats = ReturnType<typeof createFormats>;
