import { expect, it } from "vitest";
import { clientOf, countedAs } from "./client-address";

const client = (peer: string | undefined, forwarded?: string) =>
  clientOf(
    new Headers({
      ...(peer === undefined ? {} : { "x-switchyard-peer": peer }),
      ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }),
    }),
  );

it.each([
  ["203.0.113.7", undefined, "203.0.113.7"],
  ["::ffff:203.0.113.7", undefined, "203.0.113.7"],
  ["FE80::1%eth0", undefined, "fe80::1"],
  ["127.0.0.1", undefined, "127.0.0.1"],
  ["127.0.0.1", "198.51.100.1, 203.0.113.7", "203.0.113.7"],
  ["::1", "2001:db8::7", "2001:db8::7"],
  ["::ffff:127.0.0.1", " 203.0.113.7 ", "203.0.113.7"],
  ["127.0.0.1", "203.0.113.7, nonsense", "127.0.0.1"],
  ["127.0.0.1", "203.0.113.7:5000", "127.0.0.1"],
  ["127.0.0.1", "", "127.0.0.1"],
])("behind the peer %s that says %j stands %s", (peer, forwarded, address) => {
  expect(client(peer, forwarded)).toBe(address);
});

it("a peer elsewhere speaks for itself only", () => {
  expect(client("203.0.113.7", "198.51.100.1")).toBe("203.0.113.7");
});

it("without a server of ours in front nobody is believed", () => {
  expect(client(undefined, "198.51.100.1")).toBe("unknown");
  expect(client("nonsense", "198.51.100.1")).toBe("unknown");
});

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["unknown", "unknown"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::7", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::", "fe80:0:0:0::/64"],
  ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
  ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
])("%s is counted as %s", (address, counted) => {
  expect(countedAs(address)).toBe(counted);
});
