import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPublicAddress, readDestination } from "./destination.ts";

const INSIDE = [
  ["this network", "0.0.0.0", "0.1.2.3"],
  ["private", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1"],
  ["carrier-grade NAT", "100.64.0.1", "100.127.255.255", "100.100.100.200"],
  ["loopback", "127.0.0.1", "127.255.0.1", "::1"],
  ["link-local and metadata", "169.254.0.1", "169.254.169.254", "169.254.170.2", "fe80::1", "fe80::1%eth0", "febf::1"],
  ["metadata elsewhere", "192.0.0.192", "168.63.129.16", "fd00:ec2::254"],
  ["documentation and benchmarks", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "198.19.255.255", "2001:db8::1", "3fff::1"],
  ["multicast, reserved, broadcast", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "ff02::1"],
  ["unspecified", "::"],
  ["unique-local and site-local", "fc00::1", "fdff::1", "fec0::1"],
  ["IPv4 in IPv6", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::ffff:0:10.0.0.1", "::127.0.0.1", "::10.0.0.1"],
  [
    "NAT64, 6to4, Teredo",
    "64:ff9b::10.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::8.8.8.8",
    "2002:0a00:0001::1",
    "2002:808:808::1",
    "2001:0::1",
  ],
  ["unassigned", "4000::1", "8000::1", "5f00::1", "100::1"],
  ["no address", "", "localhost", "example.com", "127.1", "1.2.3.4.5", "[::1]"],
] as const;

const PUBLIC = ["1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1", "169.253.0.1", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"]; // oxfmt-ignore

describe("an address", () => {
  for (const [what, ...addresses] of INSIDE) {
    test.each(addresses)(`%j is not public: ${what}`, (address) => expect(isPublicAddress(address)).toBe(false));
  }

  test.each(PUBLIC)("%s is public", (address) => expect(isPublicAddress(address)).toBe(true));

  test("is judged the same as IPv4 and mapped into IPv6", () => {
    fc.assert(fc.property(fc.ipV4(), (address) => isPublicAddress(`::ffff:${address}`) === isPublicAddress(address)));
  });
});

describe("the URL of an endpoint", () => {
  const isTaken = (url: string, allowPrivate = false) => "url" in readDestination(url, allowPrivate);

  test.each([
    "https://example.com",
    "http://example.com/hooks?tenant=1",
    "HTTPS://Example.COM:8443/a/b",
    "https://8.8.8.8/hooks",
    "https://[2606:4700::1111]/hooks",
    "https://bücher.example/hooks",
    "https://example.com./",
  ])("%s is taken", (url) => expect(isTaken(url)).toBe(true));

  test.each([
    "",
    "example.com/hooks",
    "/hooks",
    "//example.com/hooks",
    "ftp://example.com",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http:example.com",
    "https:/example.com",
    "https://",
    "https://exa mple.com",
    "https://example.com/a b",
    " https://example.com",
    "https://example.com\n",
    "https://user:secret@example.com",
    "https://user@example.com",
    "https://example.com:99999",
  ])("%j is refused, private addresses allowed or not", (url) => {
    expect(isTaken(url)).toBe(false);
    expect(isTaken(url, true)).toBe(false);
  });

  test.each([
    "http://localhost",
    "http://LOCALHOST:3000/hooks",
    "http://localhost./",
    "http://app.localhost",
    "http://printer.local",
    "http://metadata.google.internal/",
    "http://intranet",
    "http://127.0.0.1",
    "http://127.1",
    "http://2130706433",
    "http://0x7f000001",
    "http://0x7f.1",
    "http://0177.0.0.1",
    "http://127.0.0.1.",
    "http://0",
    "http://1２7.0.0.1",
    "http://10.1.2.3",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://[fd00::1]",
    "http://[64:ff9b::7f00:1]",
  ])("%s is refused unless private addresses are allowed", (url) => {
    expect(isTaken(url)).toBe(false);
    expect(isTaken(url, true)).toBe(true);
  });

  test("has at most 2,048 characters", () => {
    const url = (length: number) => "https://example.com/".padEnd(length, "a");
    expect(isTaken(url(2048))).toBe(true);
    expect(isTaken(url(2049))).toBe(false);
  });
});
