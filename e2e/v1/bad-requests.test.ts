import { connect } from "node:net";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { listing, mission, shop } from "../definitions.ts";
import { BASE_URL, startService } from "../listening.ts";

const service = await startService();
const backend = await service.sandbox({
  ...shop(mission("one"), mission("manual", { optIn: "Manual" })),
  attributes: [{ key: "tier", name: "Tier", type: "String" }],
  missionCollections: [{ key: "all", name: "All", missions: ["one", "manual"] }],
  marketplaceItems: [listing("free", { priceInPoints: 0 })],
});
const LIMIT = 4 * 1024 * 1024;
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

/** Every endpoint that takes a body, with a body in which only the player is missing. */
const BODIES: [method: string, path: string, rest: string][] = [
  ["POST", "/v1/events", '"events":[{"playerId":"x","event":"order_placed","occurredAt":"2026-01-31T09:00:00Z"}]'],
  ["POST", "/v1/players", '"displayName":"x"'],
  ["POST", "/v1/missions", '"includeCompleted":true'],
  ["POST", "/v1/mission-collections/all", '"includeCompleted":true'],
  ["POST", "/v1/missions/manual/accept", '"note":"x"'],
  ["POST", "/v1/points/adjustments", '"amount":5,"reason":"x"'],
  ["PUT", "/v1/attributes", '"attributes":{"tier":"x"}'],
];

describe.each(BODIES)("%s %s", (method, path, rest) => {
  const send = (body: unknown) => backend.call(method, path, { body });

  test.each<[string, Uint8Array | string, string]>([
    ["nothing", "", "request.malformed"],
    ["blanks", " \n ", "request.malformed"],
    ["a form", "playerId=ann&amount=5", "request.malformed"],
    ["half an object", `{"playerId":"ann",${rest}`, "request.malformed"],
    ["two objects", `{"playerId":"ann",${rest}}{}`, "request.malformed"],
    ["a comma too many", `{"playerId":"ann",${rest},}`, "request.malformed"],
    ["single quotes", "{'playerId':'ann'}", "request.malformed"],
    ["a comment", `{/* x */"playerId":"ann",${rest}}`, "request.malformed"],
    ["NaN", `{"playerId":"ann",${rest},"x":NaN}`, "request.malformed"],
    ["a number with a leading zero", `{"playerId":"ann",${rest},"x":0123456789012345678}`, "request.malformed"],
    ["a truncated number", `{"playerId":"ann",${rest},"x":1234567890123456.e5}`, "request.malformed"],
    ["a number with two points", `{"playerId":"ann",${rest},"x":1234567890123456.5.5}`, "request.malformed"],
    ["a bare exponent", `{"playerId":"ann",${rest},"x":1e}`, "request.malformed"],
    ["invalid UTF-8", bytes('{"playerId":"', [0xff, 0xfe], `",${rest}}`), "request.malformed"],
    ["overlong UTF-8", bytes('{"playerId":"', [0xc0, 0xaf], `",${rest}}`), "request.malformed"],
    ["a surrogate in UTF-8", bytes('{"playerId":"', [0xed, 0xa0, 0xbd], `",${rest}}`), "request.malformed"],
    ["UTF-16", Buffer.from(`{"playerId":"ann",${rest}}`, "utf16le"), "request.malformed"],
    ["a control character", `{"playerId":"a\u0001",${rest}}`, "request.malformed"],
    ["null", "null", "request.invalid"],
    ["a list", `[{"playerId":"ann",${rest}}]`, "request.invalid"],
    ["a text", '"ann"', "request.invalid"],
    ["a number", "12345678901234567890.5", "request.invalid"],
    ["true", "true", "request.invalid"],
  ])("%s is a 400, and nothing comes of it", async (_, body, code) => {
    const { status, json } = await send(body);
    expect([status, json.code]).toEqual([400, code]);
    expect((await backend.points("ann")).balance).toBe(0);
  });

  test("any Content-Type is accepted, and none", async () => {
    for (const type of [
      undefined,
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json; charset=latin1",
    ]) {
      const { status, code } = await backend.call(method, path, { body: "{", headers: type === undefined ? {} : { "content-type": type } });
      expect([status, code]).toEqual([400, "request.malformed"]);
    }
  });

  test("deep nesting is refused or passed over, never a fault", async () => {
    for (const depth of [900, 5_000, 600_000]) {
      for (const [open, close] of [
        ["[", "]"],
        ['{"a":', "}"],
      ] as const) {
        const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
        const { status, code } = await send(nested);
        expect([status, code]).toEqual([400, expect.stringMatching(/^request\.(malformed|invalid)$|^player\.external_id_missing$/)]);
      }
    }
  });

  test("of more than 4 MiB is refused with that reason", async () => {
    const { status, code } = await send(`{"pad":"${"x".repeat(LIMIT)}"}`);
    expect([status, code]).toEqual([400, "request.too_large"]);
  });

  test("`__proto__` and `constructor` are ordinary members, which change no prototype", async () => {
    const body = `{"__proto__":{"playerId":"ann","events":[],"amount":5,"reason":"x"},"constructor":{"prototype":{"playerId":"ann"}}}`;
    const { status, json } = await send(body);
    expect([status, json.code]).toEqual([400, path === "/v1/events" ? "request.invalid" : "player.external_id_missing"]);
    expect(({} as Record<string, unknown>)["playerId"]).toBeUndefined();
  });
});

describe.each(BODIES.filter(([, path]) => path !== "/v1/events"))("%s %s", (method, path, rest) => {
  test.each([
    ["a NUL in the player", `{"playerId":"a\\u0000b",${rest}}`, "#/playerId"],
    ["a lone surrogate in the player", `{"playerId":"a\\uD83D",${rest}}`, "#/playerId"],
    ["a lone low surrogate in the player", `{"playerId":"\\ude00a",${rest}}`, "#/playerId"],
    ["a NUL in an unknown member", `{"playerId":"ann",${rest},"more":[{"text":"\\u0000"}]}`, "#/more/0/text"],
    ["a lone surrogate in a name", `{"playerId":"ann",${rest},"\\udfff":1}`, undefined],
  ])("%s is request.invalid, and nothing is written", async (_, body, pointer) => {
    const { status, json } = await backend.call(method, path, { body });
    expect([status, json.code]).toEqual([400, "request.invalid"]);
    if (pointer !== undefined) expect(json.errors.map((error: any) => error.pointer)).toContain(pointer);
    expect((await backend.points("ann")).balance).toBe(0);
  });
});

test.each<[string, string, string | undefined, string[]]>([
  [
    "POST",
    "/v1/points/adjustments",
    '{"playerId":"","amount":0,"reason":"a\\u0000"}',
    ["player.external_id_missing #/playerId", "points_adjustment.amount_invalid #/amount", "request.invalid #/reason"],
  ],
  [
    "PUT",
    "/v1/attributes",
    '{"playerId":"","attributes":{"unknown":1,"other":"a\\u0000"}}',
    ["player.external_id_missing #/playerId", "request.invalid #/attributes/other", "player_attribute.not_found #/attributes/unknown"],
  ],
  [
    "GET",
    "/v1/leaderboards/spent?PlayerId=a%00&Top=-1&Neighbours=99",
    undefined,
    ["request.invalid PlayerId", "request.invalid Top", "request.invalid Neighbours"],
  ],
])("%s %s lists a NUL among the other problems, in the order of the fields", async (method, path, body, problems) => {
  const { status, json } = await backend.call(method, path, body === undefined ? {} : { body });
  expect([status, json.errors.map(({ code, pointer, parameter }: any) => `${code} ${pointer ?? parameter}`)]).toEqual([400, problems]);
});

test("a message that repeats a name has whole characters alone, since many JSON parsers refuse halves", async () => {
  const long = `x${"😀".repeat(60)}`;
  const item = { playerId: "ann", occurredAt: "2026-01-31T09:00:00Z" };
  const names = [long, "half \ud83d"];
  const replies = await Promise.all([
    ...["marketplace-items", "marketplace-collections", "leaderboards"].map((path) =>
      backend.get(`/v1/${path}/${encodeURIComponent(long)}?PlayerId=ann`),
    ),
    backend.post(`/v1/marketplace-items/${encodeURIComponent(long)}/purchases`, { playerId: "ann" }),
    backend.post(`/v1/mission-collections/${encodeURIComponent(long)}`, { playerId: "ann" }),
    backend.post(`/v1/missions/${encodeURIComponent(long)}/accept`, { playerId: "ann" }),
    ...names.flatMap((name) => [
      backend.batch({ ...item, event: name }, { ...item, event: "order_placed", properties: { [name]: 1 } }),
      backend.call("PUT", "/v1/attributes", { body: { playerId: "ann", attributes: { [name]: 1 } } }),
      backend.post("/v1/metric-events", { externalPlayerId: "ann", metricKey: name, value: 1, occurredAtUtc: item.occurredAt }),
    ]),
  ]);
  for (const { text } of replies) expect(text).not.toMatch(/\\ud[89a-f]/i);
});

test("escaped surrogate pairs are one character", async () => {
  const { json } = await backend.post("/v1/players", '{"playerId":"\\ud83d\\ude00","displayName":"\\u00e9\\ud83d\\ude00"}');
  expect(json).toMatchObject({ playerId: "😀", displayName: "é😀" });
  expect((await backend.post("/v1/players", { playerId: "😀" })).json.createdAtUtc).toBe(json.createdAtUtc);
});

test("of duplicate members the last counts", async () => {
  const body = '{"playerId":"first","playerId":"last","amount":1,"amount":7,"reason":"x"}';
  expect((await backend.post("/v1/players", '{"playerId":"first","playerId":"last"}')).json.playerId).toBe("last");
  expect((await backend.post("/v1/points/adjustments", body)).json).toMatchObject({ amount: 7, balance: 7 });
  expect((await backend.adjust("first", 1)).code).toBe("player.not_found");
});

test("of a repeated query parameter the last counts, in any case", async () => {
  await backend.missions("twice");
  await backend.adjust("twice", 7);
  for (const query of ["PlayerId=nobody&PlayerId=twice", "PlayerId=nobody&playerid=twice", "playerid=&PLAYERID=nobody&PlayerId=twice"]) {
    expect((await backend.get(`/v1/points?${query}`)).json.balance, query).toBe(7);
  }
  expect((await backend.get("/v1/points?PlayerId=twice&PlayerId=")).code).toBe("player.external_id_missing");
});

test("unknown members are ignored, and a byte order mark is no fault", async () => {
  const { json } = await backend.post("/v1/players", {
    playerId: "ann",
    id: 7,
    environment: "live",
    organizationId: "x",
    createdAtUtc: "2001-01-01T00:00:00Z",
  });
  expect(json.createdAtUtc > "2020").toBe(true);
  expect((await backend.post("/v1/players", '\ufeff{"playerId":"ann"}')).json.createdAtUtc).toBe(json.createdAtUtc);
});

test("4 MiB exactly are taken, announced or in chunks; a byte more is not", async () => {
  const body = (size: number) => `{"playerId":"big","pad":"${"x".repeat(size - 27)}"}`;
  expect(body(LIMIT)).toHaveLength(LIMIT);
  for (const headers of [undefined, { "transfer-encoding": "chunked" }]) {
    expect((await backend.call("POST", "/v1/players", { body: body(LIMIT), headers })).status).toBe(200);
    expect((await backend.call("POST", "/v1/players", { body: body(LIMIT + 1), headers })).code).toBe("request.too_large");
  }
  expect((await backend.post("/v1/players", { playerId: "after" })).status).toBe(200);
});

test("a batch of a thousand items that fills 4 MiB is taken", async () => {
  const items = Array.from({ length: 1_000 }, (_, index) => ({ playerId: `big-${index % 10}`, properties: { drink: "x".repeat(4_000) } }));
  expect((await backend.batch(...items)).json).toMatchObject({ accepted: 1_000, rejected: 0 });
  await backend.applied();
});

describe("a problem", () => {
  test("has the members of RFC 9457 and ours, and continues the caller's trace", async () => {
    const headers = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
    const reply = await backend.call("POST", "/v1/missions/none/accept?secret=1", { body: { playerId: "ann" }, headers });
    expect(reply.headers["content-type"]).toBe("application/problem+json");
    expect(reply.json).toEqual({
      type: `${BASE_URL}/docs/errors#mission.not_locked_in`,
      title: expect.any(String),
      status: 404,
      detail: expect.any(String),
      instance: "/v1/missions/none/accept",
      code: "mission.not_locked_in",
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      errors: [{ code: "mission.not_locked_in", message: expect.any(String), parameter: "missionKey" }],
    });
  });

  test.each([
    "",
    "nonsense",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
  ])("has a new trace id where the caller's is invalid: %j", async (traceparent) => {
    const ids = await Promise.all(
      [1, 2].map(async () => (await backend.call("GET", "/v1/points", { headers: { traceparent } })).json.traceId),
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
  });

  test.each([
    ["GET", "/v1/missions"],
    ["PUT", "/v1/players"],
    ["DELETE", "/v1/points"],
    ["PATCH", "/v1/events"],
    ["POST", "/v1/points"],
    ["GET", "/v1/events/"],
    ["GET", "/v1"],
    ["GET", "/v1/"],
    ["GET", "/V1/points"],
    ["GET", "/v1/Points?PlayerId=a"],
    ["GET", "/v1/points%2Ftransactions?PlayerId=a"],
    ["GET", "/v1/points/?PlayerId=a"],
    ["GET", "/v1//points?PlayerId=a"],
    ["POST", "/v1/mission-collections"],
    ["POST", "/v1/mission-collections/"],
    ["POST", "/v1/mission-collections//"],
    ["POST", "/v1/mission-collections/all/"],
    ["POST", "/v1/mission-collections/all/one"],
    ["POST", "/v1/attributes"],
    ["DELETE", "/v1/attributes?PlayerId=a"],
    ["POST", "/v1/missions/a/b/accept"],
    ["GET", "/v1/%00"],
    ["GET", "/v1/%FF"],
    ["GET", `/v1/${"x".repeat(5_000)}`],
  ])("route.not_found: %s %s", async (method, path) => {
    const { status, json } = await backend.call(method, path);
    expect([status, json.code, json.errors.length]).toEqual([404, "route.not_found", 1]);
  });

  test("of no route is answered outside /v1 too, without a key", async () => {
    for (const path of ["/", "/points", "/v2/points", "/v1x", "/v1.json", "//v1/points", "/./v1/points"]) {
      const { status, json } = await backend.call("GET", path, { headers: { authorization: "" } });
      expect([status, json.code], path).toEqual([404, "route.not_found"]);
    }
  });
});

test("a client that disconnects in the middle leaves nothing behind", async () => {
  const socket = connect(service.port, "127.0.0.1");
  const head = `POST /v1/players HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${backend.key}\r\nContent-Length: 100\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(`${head}{"playerId":"gone"}`, () => resolve()));
  socket.destroy();
  await once(socket, "close");
  expect((await backend.adjust("gone", 1)).code).toBe("player.not_found");
});
