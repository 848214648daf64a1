import { expect, it } from "vitest";
import { SessionCookie } from "./session-cookie";

const DAY_MS = 24 * 60 * 60 * 1_000;
const TOKEN = "canary-7f3a9b2c4d5e6f70";

let now = 1_700_000_000_000;
const clock = { now: () => now };
const sessions = new SessionCookie(TOKEN, clock, false);
const pair = (setCookie: string) => setCookie.split(";")[0] ?? "";

it("is httpOnly, same-site and for every path, lasts a week, and holds no token", () => {
  const cookie = sessions.begin();
  expect(cookie).toMatch(
    /^switchyard-session=1700604800000\.[\w-]{16}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/,
  );
  expect(cookie).not.toContain("canary");
  expect(new SessionCookie(TOKEN, clock, true).begin()).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/);
});

it("lasts seven days and is to be renewed in the second half of them", () => {
  const begun = now;
  const cookie = pair(sessions.begin("a-session"));
  const id = "a-session";
  const endsAt = begun + 7 * DAY_MS;
  expect(sessions.read(cookie)).toEqual({ id, endsAt, isRenewalDue: false });
  now = begun + 3.5 * DAY_MS;
  expect(sessions.read(cookie)).toEqual({ id, endsAt, isRenewalDue: false });
  now += 1;
  expect(sessions.read(cookie)).toEqual({ id, endsAt, isRenewalDue: true });
  now = endsAt - 1;
  expect(sessions.read(cookie)).toEqual({ id, endsAt, isRenewalDue: true });
  now = endsAt;
  expect(sessions.read(cookie)).toBeNull();
  now = begun;
});

it("is found among other cookies, also behind one of its name that is not ours", () => {
  const cookie = pair(sessions.begin());
  expect(sessions.read(`theme=dark; switchyard-session=planted; ${cookie}; zone=utc`)).not.toBeNull();
});

it("is none once it was signed out, wherever its cookie was copied to and however it was renewed; others go on", () => {
  const [first, second] = [pair(sessions.begin("one")), pair(sessions.begin("two"))];
  const renewed = pair(sessions.begin("one"));
  sessions.end(`theme=dark; ${first}`);
  expect([first, renewed, second].map((cookie) => sessions.read(cookie)?.id)).toEqual([undefined, undefined, "two"]);
  // A forged cookie ends nobody's session.
  sessions.end(second.replace(/.$/, "!"));
  expect(sessions.read(second)?.id).toBe("two");
});

it("of another token is none", () => {
  expect(new SessionCookie(`${TOKEN}!`, clock, false).read(pair(sessions.begin()))).toBeNull();
});

it.each([
  ["nothing", null],
  ["an empty header", ""],
  ["another cookie", "theme=dark"],
  ["an empty one", "switchyard-session="],
  ["one that was ended", pair(sessions.end(null))],
  ["a longer life under the same signature", pair(sessions.begin()).replace("=17006", "=27006")],
  ["no signature", "switchyard-session=1700604800000.a-session"],
  ["a signature of nothing", `switchyard-session=..${pair(sessions.begin()).split(".")[2]}`],
  ["the life of one under the id of another", pair(sessions.begin("first")).replace(".first.", ".second.")],
  ["a shortened signature", pair(sessions.begin()).slice(0, -1)],
  ["the token itself", `switchyard-session=${TOKEN}`],
])("%s is no session", (_what, cookies) => {
  expect(sessions.read(cookies)).toBeNull();
});

it("ends with an empty value and no life", () => {
  expect(sessions.end(null)).toBe("switchyard-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
});
