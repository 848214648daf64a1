/**
 * A browser's session: a signed cookie that says which one it is and until when it lasts. Nothing of it is stored, and the token is not
 * in it; only those that were signed out are remembered, for as long as they would have lasted and this process lives.
 */
import { createHmac, randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import type { Clock } from "@/server/shared/clock";

const NAME = "switchyard-session";
const LIFE_MS = 7 * 24 * 60 * 60 * 1_000;
const RENEW_BELOW_MS = LIFE_MS / 2;
const MS_PER_S = 1_000;

export interface Session {
  id: string;
  /** Epoch milliseconds. */
  endsAt: number;
  isRenewalDue: boolean;
}

/**
 * Signs with a key made of the token, so another token ends all sessions. The key is slow to make (scrypt, once a process): whoever
 * gets hold of a cookie must not find a weak token by trying.
 */
export class SessionCookie {
  readonly #key: Buffer;
  readonly #clock: Clock;
  readonly #attributes: string;
  /** Sessions that were signed out, with the time until which a cookie of theirs may last. */
  readonly #ended = new Map<string, number>();

  /** `isSecure` = browsers send it over https only. */
  constructor(token: string, clock: Clock, isSecure: boolean) {
    this.#key = scryptSync(token, "switchyard session 1", 32);
    this.#clock = clock;
    // Lax, not Strict: with Strict, whoever follows a link from a chat or a mail would stand before the sign-in page again.
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  }

  /** The Set-Cookie that begins a session, or goes on with the one of that id. */
  begin(id: string = randomBytes(12).toString("base64url")): string {
    const said = `${this.#clock.now() + LIFE_MS}.${id}`;
    return `${NAME}=${said}.${this.#sign(said).toString("base64url")}; ${this.#attributes}; Max-Age=${LIFE_MS / MS_PER_S}`;
  }

  /** The Set-Cookie that ends it in this browser. The session of the Cookie header is none from now on, wherever it was copied to. */
  end(cookies: string | null): string {
    const now = this.#clock.now();
    for (const [id, until] of this.#ended) if (until <= now) this.#ended.delete(id);
    const session = this.read(cookies);
    // A copy of the cookie that was renewed lasts no longer than one that is renewed now.
    if (session) this.#ended.set(session.id, now + LIFE_MS);
    return `${NAME}=; ${this.#attributes}; Max-Age=0`;
  }

  /** The session in a Cookie header; null when it has none that is ours and lasts. */
  read(cookies: string | null): Session | null {
    for (const part of (cookies ?? "").split(";")) {
      const [name, value = ""] = part.trim().split("=", 2);
      const session = name === NAME ? this.#check(value) : null;
      if (session !== null) return session;
    }
    return null;
  }

  #check(value: string): Session | null {
    const [endsAt = "", id = "", signature = ""] = value.split(".", 3);
    const given = Buffer.from(signature, "base64url");
    const expected = this.#sign(`${endsAt}.${id}`);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const remainingMs = Number(endsAt) - this.#clock.now();
    if (remainingMs <= 0 || this.#ended.has(id)) return null;
    return { id, endsAt: Number(endsAt), isRenewalDue: remainingMs < RENEW_BELOW_MS };
  }

  #sign(said: string): Buffer {
    return createHmac("sha256", this.#key).update(said).digest();
  }
}
