import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** The sign-in that a browser remembers: a person and their password. After a change of password the browser is unknown again. */
export interface DeviceOwner {
  userId: string;
  passwordHash: string;
}

export const DEVICE_BYTES = 16;

/** Several people may share a browser; more than these it forgets. */
const MOST = 5;

/** The key that signs the marks, and nothing else. */
export const deviceKey = (authSecret: string): Buffer => Buffer.from(hkdfSync("sha256", authSecret, "", "engagement devices", 32));

const signatureOf = (key: Buffer, { userId, passwordHash }: DeviceOwner, device: string): Buffer =>
  createHmac("sha256", key).update([userId, passwordHash, device].join("\n")).digest();

const marksIn = (cookie: string | null): string[] => (cookie === null ? [] : cookie.slice(0, 1000).split("~").slice(0, MOST));

/** Which of a browser's marks (the text of its cookie) is that of this person; null where none is, such as for a stranger. */
export function deviceOf(key: Buffer, cookie: string | null, owner: DeviceOwner): string | null {
  for (const mark of marksIn(cookie)) {
    const [device = "", signature = ""] = mark.split(".");
    const expected = signatureOf(key, owner, device);
    const given = Buffer.from(signature, "base64url");
    if (given.length === expected.length && timingSafeEqual(given, expected)) return device;
  }
  return null;
}

/** The cookie's text with this person's mark in front; the one that the browser has, or a new one of `random`. */
export function withDevice(key: Buffer, cookie: string | null, owner: DeviceOwner, random: Buffer): string {
  const device = deviceOf(key, cookie, owner) ?? random.toString("base64url");
  const mark = `${device}.${signatureOf(key, owner, device).toString("base64url")}`;
  return [mark, ...marksIn(cookie).filter((other) => other !== mark)].slice(0, MOST).join("~");
}
