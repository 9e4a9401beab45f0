import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Backend } from "../backend.ts";
import { startService } from "../listening.ts";
import { curlOf, type ShownRequest } from "../../app/docs/code/curl.ts";
import type { Steps } from "../../app/docs/guides/exchange.ts";
import { firstEventSteps } from "../../app/docs/guides/first-event/steps.ts";
import { boardSteps } from "../../app/docs/guides/leaderboards-and-streaks/steps.ts";
import { missionSteps } from "../../app/docs/guides/missions/steps.ts";
import { clockSteps } from "../../app/docs/guides/sandbox-clock/steps.ts";
import { shopSteps } from "../../app/docs/guides/shop/steps.ts";

const DEMO = JSON.parse(readFileSync(new URL("../../server/demo/definitions.json", import.meta.url), "utf8")) as object;
const ADDRESS = "https://points.example.com";
const service = await startService();

const GUIDES: [guide: string, steps: (now: number) => Steps][] = [
  ["Your first event", firstEventSteps],
  ["Missions", missionSteps],
  ["The shop", shopSteps],
  ["Leaderboards and streaks", boardSteps],
  ["Testing with the Sandbox clock", clockSteps],
];

test.each(GUIDES)("%s: every request, copied from the page into a shell, is answered as the page says", async (_, stepsAt) => {
  const backend = await service.sandbox(DEMO, { timeZone: "Europe/Amsterdam" });
  for (const [name, step] of Object.entries(stepsAt(Date.now()))) {
    if ("advance" in step) {
      await backend.advance(step.advance);
      continue;
    }
    const { status, json, text } = await sendAsCopied(backend, step);
    expect(status, `${name}: ${text}`).toBe(step.status);
    expect(examples(json ?? null), name).toEqual(excerpt(examples(step.answer ?? null)));
    await backend.applied();
  }
});

/** Has a shell read the request as it is shown, and sends what it would hand to curl. */
async function sendAsCopied(backend: Backend, request: ShownRequest) {
  const shown = curlOf(request, ADDRESS)
    .map(({ code }) => code)
    .join("");
  const script = `curl() { printf '%s\\0' "$@"; }; ${shown}`;
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { env: { ...process.env, KEY: backend.key } });
  const words = stdout.split("\0").slice(0, -1);
  const after = (option: string) => (words.includes(option) ? words[words.indexOf(option) + 1] : undefined);
  const body = after("-d");
  const url = words.find((word) => word.startsWith(ADDRESS)) ?? "";
  expect(after("-H")).toBe(`Authorization: Bearer ${backend.key}`);
  return backend.call(after("-X") ?? (body === undefined ? "GET" : "POST"), url.slice(ADDRESS.length), { body });
}

const UUID = /"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"/g;
const INSTANT = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"/g;

/** With one example in place of every id and every instant. */
const examples = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(UUID, '"an id"').replace(INSTANT, '"an instant"'));

/** Guides may leave members and rows out, but what they show has to be there. */
function excerpt(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.length === 0 ? [] : expect.arrayContaining(shown.map(excerpt));
  if (typeof shown !== "object" || shown === null) return shown;
  return expect.objectContaining(Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, excerpt(value)])));
}
