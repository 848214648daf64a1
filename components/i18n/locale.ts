const LOCALES = ["en", "zh"] as const;
export type Locale = (typeof LOCALES)[number];

export const LOCALE_COOKIE = "switchyard-locale";
export const ZONE_COOKIE = "switchyard-zone";

/** Whose clock times are shown in: the browser's, or UTC. */
export type Zone = "local" | "utc";

function isLocale(value: string | undefined): value is Locale {
  return (LOCALES as readonly (string | undefined)[]).includes(value);
}

/** The chosen language, else the first of the browser's list that we speak, else English. */
export function localeFrom(cookie: string | undefined, acceptLanguage: string | null): Locale {
  if (isLocale(cookie)) return cookie;
  const wishes = (acceptLanguage ?? "")
    .split(",")
    .map((entry) => {
      const [tag = "", ...parameters] = entry.trim().split(";");
      const quality = parameters
        .map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1])
        .find((value) => value !== undefined);
      return { language: tag.trim().toLowerCase().split("-")[0], quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter((wish) => wish.quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return wishes.map((wish) => wish.language).find(isLocale) ?? "en";
}

export function zoneFrom(cookie: string | undefined): Zone {
  return cookie === "utc" ? "utc" : "local";
}
