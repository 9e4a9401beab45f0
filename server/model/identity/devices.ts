import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** A remembered device: a user and their password. After a change of password the device is unknown again. */
export interface DeviceOwner {
  userId: string;
  passwordHash: string;
}

export const DEVICE_BYTES = 16;

/** Several users may share a browser; it remembers this many. */
const MAX_MARKS = 5;

/** The key that signs the marks; it has no other use. */
export const deviceKey = (authSecret: string): Buffer => Buffer.from(hkdfSync("sha256", authSecret, "", "engagement devices", 32));

const signatureOf = (key: Buffer, { userId, passwordHash }: DeviceOwner, device: string): Buffer =>
  createHmac("sha256", key).update([userId, passwordHash, device].join("\n")).digest();

const marksIn = (cookie: string | null): string[] => (cookie === null ? [] : cookie.slice(0, 1000).split("~").slice(0, MAX_MARKS));

/** This user's mark among those in the device cookie; null if there is none, or the user is unknown. */
export function deviceOf(key: Buffer, cookie: string | null, owner: DeviceOwner): string | null {
  for (const mark of marksIn(cookie)) {
    const [device = "", signature = ""] = mark.split(".");
    const expected = signatureOf(key, owner, device);
    const given = Buffer.from(signature, "base64url");
    if (given.length === expected.length && timingSafeEqual(given, expected)) return device;
  }
  return null;
}

/** The cookie's text with this user's mark in front: the existing one, or a new one from `random`. */
export function withDevice(key: Buffer, cookie: string | null, owner: DeviceOwner, random: Buffer): string {
  const device = deviceOf(key, cookie, owner) ?? random.toString("base64url");
  const mark = `${device}.${signatureOf(key, owner, device).toString("base64url")}`;
  return [mark, ...marksIn(cookie).filter((other) => other !== mark)].slice(0, MAX_MARKS).join("~");
}
