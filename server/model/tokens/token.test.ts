import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { bearerToken, boundedRole, hashOfToken, isBearer, TOKEN_BYTES, tokenHint, tokenProblems, writePersonalToken } from "./token.ts";

const TOKEN = writePersonalToken(Buffer.alloc(TOKEN_BYTES, 0xab));
const WANTED = { name: "ci", role: "Editor", environment: null, days: 30 } as const;

test("a token is its prefix and 64 hex characters; its hint gives away the last four and no more", () => {
  expect(TOKEN).toBe(`svc_pat_${"ab".repeat(32)}`);
  expect(tokenHint(TOKEN)).toBe("svc_pat_…abab");
});

test("the hash is the SHA-256 of the whole token", () => {
  const token = writePersonalToken(Buffer.alloc(TOKEN_BYTES, 7));
  expect(hashOfToken(token)).toEqual(createHash("sha256").update(token).digest());
});

test.each(["Bearer TOKEN", "bearer TOKEN", "BEARER   TOKEN "])("%s carries a token", (header) => {
  expect(bearerToken(header.replace("TOKEN", TOKEN))).toBe(TOKEN);
});

test.each(["", "TOKEN", "Basic TOKEN", "BearerTOKEN", "Bearer TOKENx", "Bearer TOKEN TOKEN", "Bearer svc_live_" + "ab".repeat(32)])(
  "%s carries none",
  (header) => expect(bearerToken(header.replaceAll("TOKEN", TOKEN))).toBeNull(),
);

test("any bearer header takes precedence over a cookie; another scheme, such as a proxy's own, does not", () => {
  for (const header of ["Bearer x", "bearer", "Bearer  ", "Bearer svc_live_1"]) expect(isBearer(header), header).toBe(true);
  for (const header of [undefined, null, "", "Basic eDp5", "Bearerx"]) expect(isBearer(header), String(header)).toBe(false);
});

test("with a token, the lower of the two roles applies", () => {
  const token = { name: "ci", role: "Editor", projectSlug: "acme", environment: null } as const;
  expect((["Owner", "Editor", "Support", "Viewer"] as const).map((role) => boundedRole(role, token))).toEqual([
    "Editor",
    "Editor",
    "Support",
    "Viewer",
  ]);
  expect(boundedRole("Owner", null)).toBe("Owner");
});

test("a token has a name, no higher role than its maker, and an end", () => {
  const pointers = (wanted: object, own: "Editor" | "Viewer" = "Editor") =>
    tokenProblems({ ...WANTED, ...wanted }, own).map(({ pointer }) => pointer);
  expect(pointers({})).toEqual([]);
  expect(pointers({ name: " ", role: "Admin", days: 0 })).toEqual(["#/name", "#/role", "#/days"]);
  expect(pointers({}, "Viewer")).toEqual(["#/role"]);
  for (const days of [0.5, -1, 367, Number.NaN, Infinity]) expect(pointers({ days }), String(days)).toEqual(["#/days"]);
  expect(pointers({ name: "x".repeat(201) })).toEqual(["#/name"]);
});
