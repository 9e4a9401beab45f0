import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { mission, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const backend = await service.sandbox(shop(mission("one")));

/** Sends raw bytes; returns everything received until the service closes the connection. */
function send(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(service.port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
    // A connection may be reset before all bytes were sent; what was received until then is the answer.
    socket.on("error", () => {}).on("close", () => resolve(answer));
  });
}

const lines = (...head: string[]): string => `${[...head, "Host: x", `Authorization: Bearer ${backend.key}`].join("\r\n")}\r\n`;
const get = (target: string, ...headers: string[]): string => `${lines(`GET ${target} HTTP/1.1`, ...headers)}\r\n`;
const post = (target: string, body: string, ...headers: string[]): string =>
  `${lines(`POST ${target} HTTP/1.1`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers)}\r\n${body}`;
const statuses = (answer: string): string[] => Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => status!);
const LAST = "Connection: close";

describe("a target", () => {
  test.each([
    ["http://api.example.com/v1/points?PlayerId=ann", "200"],
    ["HTTPS://api.example.com:443/v1/points?PlayerId=ann", "200"],
    ["http://api.example.com", "404"],
    ["http://api.example.com?x=/v1/points", "404"],
    ["ftp://api.example.com/v1/points?PlayerId=ann", "404"],
    ["*", "404"],
    ["/v1/points#PlayerId=ann", "404"],
    ["/v1/./points?PlayerId=ann", "404"],
    ["/v1/../v1/points?PlayerId=ann", "404"],
    ["/v1/points;a=b?PlayerId=ann", "404"],
    ["/v1\\points?PlayerId=ann", "404"],
    ["/%76%31/points?PlayerId=ann", "404"],
    ["/v1/points?PlayerId=ann?Take=1", "200"],
    ["/v1/points?&&=&x&PlayerId=ann&", "200"],
    ["/v1/points?PlayerId=a&PlayerId=ann", "200"],
    ["/v1/points?__proto__=1&constructor=2&PlayerId=ann", "200"],
    ["/v1/points?PlayerId", "400"],
    ["/v1/points?", "400"],
  ])("%s answers %s", async (target, status) => {
    expect(statuses(await send(get(target, LAST)))).toEqual([status]);
  });

  test("with a query of 10,000 characters is read", async () => {
    expect(statuses(await send(get(`/v1/points?x=${"y".repeat(10_000)}&PlayerId=ann`, LAST)))).toEqual(["200"]);
  });
});

describe("a method", () => {
  test.each(["OPTIONS", "PATCH", "DELETE", "TRACE", "PROPFIND", "PUT"])("%s is no route, and its body does no harm", async (method) => {
    const asking = lines(`${method} /v1/points HTTP/1.1`, "Content-Length: 2");
    const answer = await send(`${asking}\r\n{}${get("/v1/points?PlayerId=ann", LAST)}`);
    expect(statuses(answer)).toEqual(["404", "200"]);
    expect(answer).toContain('"code":"route.not_found"');
    expect(answer.toLowerCase()).not.toContain("access-control");
  });

  test("HEAD has the headers of GET and no body", async () => {
    const head = await send(`${lines("HEAD /v1/points?PlayerId=ann HTTP/1.1", LAST)}\r\n`);
    const [headers, body] = head.split("\r\n\r\n");
    expect([statuses(head), body]).toEqual([["200"], ""]);
    expect(headers).toMatch(/content-length: [1-9]/i);
    expect(statuses(await send(`${lines("HEAD /v1/missions HTTP/1.1", LAST)}\r\n`))).toEqual(["404"]);
  });
});

describe("a connection", () => {
  test("answers pipelined requests in their order, with any outcomes", async () => {
    const answer = await send(
      [
        post("/v1/players", '{"playerId":"first"}'),
        get("/v1/nothing"),
        post("/v1/players", "{"),
        get("/v1/points?PlayerId=ann", "Content-Length: 3") + "abc",
        post("/v1/players", '{"playerId":"last"}'),
        get("/v1/points?PlayerId=ann", LAST),
      ].join(""),
    );
    expect(statuses(answer)).toEqual(["200", "404", "400", "200", "200", "200"]);
    const said = answer.matchAll(/first|route.not_found|request.malformed|last|"balance"/g);
    expect(Array.from(new Set(Array.from(said, ([word]) => word)))).toEqual([
      "first",
      "route.not_found",
      "request.malformed",
      '"balance"',
      "last",
    ]);
  });

  test("outlives a body that is too large", async () => {
    const large = post("/v1/players", `{"pad":"${"x".repeat(4 * 1024 * 1024)}"}`);
    const answer = await send(large + get("/v1/points?PlayerId=ann", LAST));
    expect(statuses(answer)).toEqual(["400", "200"]);
    expect(answer).toContain('"code":"request.too_large"');
  });

  test.each([
    ["two lengths", `${lines("POST /v1/players HTTP/1.1", "Content-Length: 5", "Content-Length: 24")}\r\n{"playerId":"smuggled"}`],
    ["a length and chunks", `${lines("POST /v1/players HTTP/1.1", "Content-Length: 24", "Transfer-Encoding: chunked")}\r\n0\r\n\r\n`],
    ["a negative length", `${lines("POST /v1/players HTTP/1.1", "Content-Length: -1")}\r\n`],
    ["a blank before the colon", `${lines("POST /v1/players HTTP/1.1", "Content-Length : 5")}\r\n`],
    ["no HTTP at all", "GET /v1/points\r\n\r\n"],
  ])("with %s is closed, and nothing comes of it", async (_, bytes) => {
    expect(statuses(await send(bytes + get("/v1/points?PlayerId=ann")))).toEqual(["400"]);
    expect((await backend.adjust("smuggled", 1)).code).toBe("player.not_found");
  });

  test("accepts a hundred headers, and refuses a flood of them", async () => {
    const some = Array.from({ length: 100 }, (_, index) => `X-Header-${index}: ${"x".repeat(50)}`);
    expect(statuses(await send(get("/v1/points?PlayerId=ann", ...some, LAST)))).toEqual(["200"]);
    const flood = Array.from({ length: 1_200 }, (_, index) => `X-Header-${index}: ${"x".repeat(50)}`);
    expect([["431"], []]).toContainEqual(statuses(await send(get("/v1/points?PlayerId=ann", ...flood, LAST))));
    expect((await backend.get("/v1/points?PlayerId=ann")).status).toBe(200);
  });

  test("with two keys is refused; so is a key in the query", async () => {
    const twice = get("/v1/points?PlayerId=ann", `Authorization: Bearer svc_sbox_${"0".repeat(64)}`, LAST);
    expect(statuses(await send(twice))).toEqual(["401"]);
    const inQuery = `GET /v1/points?PlayerId=ann&Authorization=Bearer%20${backend.key} HTTP/1.1\r\nHost: x\r\n${LAST}\r\n\r\n`;
    expect(statuses(await send(inQuery))).toEqual(["401"]);
  });
});
