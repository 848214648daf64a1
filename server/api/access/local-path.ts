const LONGEST = 2_000;

/**
 * Where a page of ours may send the browser on to: a path of this server, with its query, as a browser reads it. Anything else
 * (`//evil.example`, `/\evil.example`, `https:…`, control characters, which browsers drop) becomes "/".
 */
export function localPath(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > LONGEST || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted)) return "/";
  const base = "http://local.invalid";
  if (!URL.canParse(wanted, base)) return "/";
  const url = new URL(wanted, base);
  // Dots may have been resolved into another host's "//".
  return url.origin === base && !url.pathname.startsWith("//") ? url.pathname + url.search + url.hash : "/";
}
