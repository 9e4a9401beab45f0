import { expect, test } from "vitest";
import { playerKey } from "../../model/players/identity.ts";
import { EntryBuffer } from "../../model/request-log/buffer.ts";
import { compose } from "../../model/request-log/compose.ts";
import type { BufferedEntry, ServedRequest } from "../../model/request-log/entry.ts";
import { PER_SECOND, Sampler } from "../../model/request-log/sampler.ts";
import { jsonPrefix, loggable } from "../../model/request-log/text.ts";

const OF = { environmentId: 1, resets: 0 };
const KEY = { ...OF, keyId: "key", keepsBodies: true };
const SERVED: ServedRequest = {
  ...{ key: KEY, at: 0, method: "GET", route: "/v1/points", target: "/v1/points?PlayerId=ann", status: 200, code: null },
  ...{ durationMs: 1, traceId: "trace", body: "", problems: [], items: null, admitted: null },
};
const entryOf = (served: Partial<ServedRequest>, id = "id"): BufferedEntry =>
  compose({ ...SERVED, ...served }, new Sampler(), { ...identities, newId: () => id }, 0).entry!;
const identities = { newId: () => "id", keyOf: playerKey };
const failed = { status: 404, code: "route.not_found" };

test("a full buffer drops successes before errors, the newest first, and counts them", () => {
  const buffer = new EntryBuffer({ requests: 3, items: 10, size: 1_000 });
  for (const [served, id] of [
    [{}, "first"],
    [failed, "an error"],
    [{}, "second"],
    [failed, "another error"],
    [failed, "a third"],
    [failed, "one too many"],
  ] as const) {
    buffer.add(entryOf(served, id));
  }
  const { entries, omitted } = buffer.take();
  expect(entries.map(({ request }) => request?.id)).toEqual(["an error", "another error", "a third"]);
  expect([...omitted.values()]).toEqual([{ ...OF, successes: 2, errors: 1, acceptedItems: 0, refusedItems: 0 }]);
  expect(buffer.isEmpty).toBe(true);
});

test("a failed write puts entries back within the same bounds", () => {
  const buffer = new EntryBuffer({ requests: 2, items: 10, size: 1_000 });
  buffer.add(entryOf({}, "old"));
  buffer.add(entryOf(failed, "old error"));
  const batch = buffer.take();
  buffer.add(entryOf(failed, "new error"));
  buffer.putBack(batch);
  const { entries, omitted } = buffer.take();
  expect(entries.map(({ request }) => request?.id).sort()).toEqual(["new error", "old error"]);
  expect([...omitted.values()]).toMatchObject([{ successes: 1, errors: 0 }]);
});

test("entries that are put back are older than those added since, which are dropped first", () => {
  const buffer = new EntryBuffer({ requests: 2, items: 10, size: 1_000 });
  buffer.add(entryOf(failed, "the cause"));
  const batch = buffer.take();
  for (const id of ["a consequence", "another one"]) buffer.add(entryOf(failed, id));
  buffer.putBack(batch);
  expect(buffer.take().entries.map(({ request }) => request?.id)).toEqual(["the cause", "a consequence"]);
});

test("the texts of a buffer are bounded too", () => {
  const buffer = new EntryBuffer({ requests: 100, items: 100, size: 40_000 });
  for (let sent = 0; sent < 10; sent++) buffer.add(entryOf({ body: "x".repeat(20_000) }));
  expect(buffer.take().entries).toHaveLength(2);
});

test("of a busy second the first successes and the first errors are kept, and the rest is counted", () => {
  const sampler = new Sampler();
  const kept = { successes: 0, errors: 0 };
  const omitted = { successes: 0, errors: 0 };
  for (let sent = 0; sent < 1_000; sent++) {
    for (const [kind, served] of [
      ["successes", {}],
      ["errors", failed],
    ] as const) {
      // oxfmt-ignore
      const composed = compose({ ...SERVED, ...served }, sampler, identities, sent / 2);
      if (composed.entry !== null) kept[kind]++;
      omitted[kind] += composed.omitted?.[kind] ?? 0;
    }
  }
  expect(kept).toEqual({ successes: PER_SECOND.successes, errors: PER_SECOND.errors });
  expect(omitted).toEqual({ successes: 1_000 - kept.successes, errors: 1_000 - kept.errors });
  expect(compose(SERVED, sampler, identities, 1_000).entry).not.toBeNull();
});

test("of the requests by revoked keys one a second is kept: they neither hide other errors nor push older requests out of the log", () => {
  const sampler = new Sampler();
  const refused = { isRevoked: true, status: 401, code: "auth.api_key_invalid" };
  const composed = Array.from({ length: 200 }, (_, sent) => compose({ ...SERVED, ...refused }, sampler, identities, sent * 10));
  expect(composed.filter(({ entry }) => entry !== null)).toHaveLength(2);
  expect(composed.filter(({ omitted }) => omitted?.errors === 1)).toHaveLength(198);
  const others = Array.from({ length: 200 }, () => compose({ ...SERVED, ...failed }, sampler, identities, 1_999));
  expect(others.filter(({ entry }) => entry !== null)).toHaveLength(PER_SECOND.errors);
});

test("many environments share a bounded number of entries, and each keeps its first ones", () => {
  const sampler = new Sampler();
  const kept = Array.from({ length: 100 }, (_, environmentId) => sampler.admit(environmentId, "successes", 50, 0));
  expect(kept.slice(0, 5)).toEqual([50, 50, 50, 50, 5]);
  expect(kept.slice(5)).toEqual(Array.from({ length: 95 }, () => 5));
});

test("of a batch the first accepted and the first refused items are kept, and the rest is counted", () => {
  const results = Array.from({ length: 1_000 }, (_, index) =>
    index % 2 === 0 ? { eventId: `e${index}`, errors: [] } : { eventId: null, errors: [{ code: "event.not_found", message: "No." }] },
  );
  const items = { kind: "Event" as const, receivedAt: 0, items: results.map(() => ({ playerId: "ann", event: "order" })), results };
  const { entry, omitted } = compose({ ...SERVED, items }, new Sampler(), identities, 0);
  expect(entry!.items.filter(({ code }) => code === null).map(({ position }) => position)).toEqual(
    Array.from({ length: 100 }, (_, at) => at * 2),
  );
  expect(entry!.items.filter(({ code }) => code !== null)).toHaveLength(100);
  expect(omitted).toEqual({ successes: 0, errors: 0, acceptedItems: 400, refusedItems: 400 });
  expect(entry!.request).toMatchObject({ accepted: 500, refused: 500 });
});

test("where bodies are not kept, no sent content is kept", () => {
  const items = {
    kind: "Event" as const,
    receivedAt: 0,
    items: [{ playerId: "ann", note: "sent" }],
    results: [{ eventId: "e", errors: [] }],
  };
  const { request, items: kept } = entryOf({ key: { ...KEY, keepsBodies: false }, body: "sent", target: "/v1/sent", items });
  expect(JSON.stringify([request, kept])).not.toContain("sent");
});

test.each([
  ["an API key", `a svc_sbox_${"0".repeat(64)} b`, "a [secret] b"],
  ["a personal token", `svc_pat_${"a1".repeat(20)}`, "[secret]"],
  ["a signing secret", "whsec_c2VjcmV0/+=", "[secret]"],
  ["bad text", "a\0b\ud800", "a\ufffdb\ufffd"],
])("%s is not kept", (_, text, kept) => {
  expect(loggable(text)).toBe(kept);
});

test("a secret cut off at the limit is redacted completely", () => {
  expect(loggable(`${"x".repeat(90)}svc_live_${"0".repeat(64)}`, 100)).toBe(`${"x".repeat(90)}[secret]`);
});

test("the beginning of a value's JSON is exact if short, and cut if long", () => {
  const value = { a: [1, "two", null, { b: true }], c: {} };
  expect(jsonPrefix(value)).toBe(JSON.stringify(value));
  const long = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, "x".repeat(100)]));
  expect(jsonPrefix(long).length).toBeLessThan(17_000);
  expect(JSON.stringify(long)).toContain(jsonPrefix(long).slice(0, 16_000));
});
