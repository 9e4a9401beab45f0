import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../db/testing/work.ts";
import { mission, shop } from "../definitions.ts";
import { startService } from "../listening.ts";
import { RECEIVERS } from "../../web/docs/guides/receivers.ts";
import { steadyPort } from "../programs.ts";

const service = await startService();

test("the receiver in TypeScript runs as shown: it accepts a delivery of ours, and no other, after a client that hung up", async () => {
  const backend = await service.sandbox(shop(mission("first")));
  const port = await steadyPort();
  const { secret } = await backend.subscribe(`http://127.0.0.1:${port}/hooks`, "mission.completed");
  const receiver = start(RECEIVERS.find(({ name }) => name === "TypeScript")!.code, { PORT: String(port), WEBHOOK_SECRET: secret });
  await until(() => isOpen(port));
  await hangUpInABody(port);
  const received = nextLine(receiver);
  await backend.missions("ann");
  await backend.play({ playerId: "ann" });
  await backend.delivered();
  expect(await received).toMatch(/^mission\.completed [0-9a-f-]{36} /);
  const { sql } = service.database;
  expect(await sql`select status from webhook_deliveries where environment_id = ${backend.environment.id}`).toEqual([
    { status: "Delivered" },
  ]);

  const headers = { "webhook-id": "x", "webhook-timestamp": String(Math.floor(Date.now() / 1000)), "webhook-signature": "v1,AAAA" };
  const { status } = await fetch(`http://127.0.0.1:${port}/hooks`, { method: "POST", headers, body: "{}" });
  expect(status).toBe(401);
});

/** Runs code as a person would after saving it in a file; it ends with the test. */
function start(code: string, env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-"], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(code);
  onTestFinished(() => void child.kill());
  return child;
}

/** A client that disconnects between the head and the end of its body, once the receiver has read the head. */
async function hangUpInABody(port: number): Promise<void> {
  const client = connect(port, "127.0.0.1");
  client.write("POST /hooks HTTP/1.1\r\nHost: receiver\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n");
  await once(client, "data");
  client.destroy();
}

const nextLine = async (child: ChildProcess): Promise<string> =>
  ((await once(createInterface({ input: child.stdout! }), "line")) as [string])[0];

const isOpen = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}`, { method: "POST" }).then(
    () => true,
    () => false,
  );
