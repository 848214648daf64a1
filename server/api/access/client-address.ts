/** Whose request it is, for the limit of wrong tokens and for the log. */
import { isIP } from "node:net";
import { isLoopback } from "@/server/shared/loopback.rules";

/** Written by our own server from the socket, over whatever the client sent under that name (scripts/launch/start.mjs). */
const PEER_HEADER = "x-switchyard-peer";

/**
 * The client's address; "unknown" where no server of ours stands in front (the development server).
 *
 * A peer on this machine is a reverse proxy, so what it appended to X-Forwarded-For last is believed: otherwise all the world
 * would be one client, and one stranger's wrong tokens would keep everybody from signing in. A proxy that passes the
 * client's own header on lets clients choose their address; the limit over all clients holds then too.
 */
export function clientOf(headers: Headers): string {
  const peer = plainAddress(headers.get(PEER_HEADER) ?? "");
  if (peer === null) return "unknown";
  if (!isLoopback(peer)) return peer;
  return plainAddress(headers.get("x-forwarded-for")?.split(",").at(-1) ?? "") ?? peer;
}

/** What is counted as one client: an IPv4 address, or the /64 network that one IPv6 host has to itself. */
export function countedAs(client: string): string {
  if (isIP(client) !== 6) return client;
  const [head = "", tail] = client.split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const after = tail === "" ? 0 : tail.split(":").length;
    groups.push(...Array<string>(8 - groups.length - after).fill("0"));
    if (tail !== "") groups.push(...tail.split(":"));
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

/** An address without zone or IPv4-in-IPv6 wrapping, in lower case; null when it is none. */
function plainAddress(text: string): string | null {
  const address = text
    .trim()
    .toLowerCase()
    .replace(/%.*$/, "")
    .replace(/^::ffff:(?=\d+\.)/, "");
  return isIP(address) === 0 ? null : address;
}
