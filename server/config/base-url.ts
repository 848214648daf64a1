/** What the base address of an API may be, as it is written and as it is used. It never holds a key, so nothing here repeats it. */

export type BaseUrlFault = "not_http" | "has_user" | "has_query" | "has_variable";

/** What is wrong and what to do, as the end of a sentence that names the address. */
export const BASE_URL_FAULTS: Readonly<Record<BaseUrlFault, string>> = {
  not_http: "is not an http:// or https:// address",
  has_user: "holds a user name or password, which do not belong in an address; remove them, and name a key as apiKey: env:NAME",
  has_query: "holds a query or a fragment (? or #); give the base of the API only, up to /v1, and put the key into apiKey",
  has_variable: "holds ${ in the value of a variable; variables are filled in once only",
};

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The variables of an address in their order, each once; null when it holds a `${` that is not `${NAME}`. */
export function variablesOf(baseUrl: string): string[] | null {
  if (baseUrl.replace(VARIABLE, "").includes("${")) return null;
  return [...new Set([...baseUrl.matchAll(VARIABLE)].flatMap(([, name]) => name ?? []))];
}

/** Fills in every `${NAME}` once: what stands in a value is never looked at again. */
export function fillIn(baseUrl: string, valueFor: (name: string) => string): string {
  return baseUrl.replace(VARIABLE, (_whole, name: string) => valueFor(name));
}

/** The address without the slashes at its end, or what is wrong with it. */
export function checkBaseUrl(text: string): { ok: true; value: string } | { ok: false; error: BaseUrlFault } {
  if (text.includes("${")) return { ok: false, error: "has_variable" };
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !isHttp(url)) return { ok: false, error: "not_http" };
  if (url.username !== "" || url.password !== "") return { ok: false, error: "has_user" };
  if (url.search !== "" || url.hash !== "") return { ok: false, error: "has_query" };
  return { ok: true, value: `${url.origin}${url.pathname.replace(/\/+$/, "")}` };
}

/**
 * What is certainly wrong with an address whose variables are not read: what is written decides, a variable at the beginning may
 * bring the scheme and the host. Null = nothing. A text without variables is checked as a whole.
 */
export function writtenFault(text: string): BaseUrlFault | null {
  const names = variablesOf(text);
  if (names === null) return null;
  if (/[?#]/.test(fillIn(text, () => ""))) return URL.canParse(text) && !isHttp(new URL(text)) ? "not_http" : "has_query";
  if (text.startsWith("${")) return null;
  const checked = checkBaseUrl(withPlaceholders(text));
  return checked.ok ? null : checked.error;
}

/** A port must be a number and a host must not look like one. */
function withPlaceholders(text: string): string {
  return fillIn(text.replace(/:\d*\$\{[A-Za-z_][A-Za-z0-9_]*\}(?=\/|$)/g, ":1"), () => "a");
}

/** True when a key would go to another network in the clear; false while the host is not known. */
export function isUnencrypted(text: string): boolean {
  const authority = /^http:\/\/([^/]*)/i.exec(text)?.[1];
  if (authority === undefined || authority.replace(/:\d*\$\{[^}]*\}$/, "").includes("${")) return false;
  const filled = withPlaceholders(text);
  return URL.canParse(filled) && !isPrivateHost(new URL(filled).hostname);
}

export function isHostOrSubdomain(host: string, name: string): boolean {
  return host === name || host.endsWith(`.${name}`);
}

/** This machine, a private network, or a name that no public network knows. `host` as `URL` gives it: lower case, IPv6 in brackets. */
export function isPrivateHost(host: string): boolean {
  return (
    host === "localhost" ||
    host === "[::1]" ||
    /\.(?:local|internal|localhost)$/.test(host) ||
    (!host.includes(".") && !host.startsWith("[")) ||
    /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]+$/.test(host) ||
    /^\[(?:f[cd]|fe[89ab])/.test(host)
  );
}

function isHttp(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}
