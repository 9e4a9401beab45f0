import { Webhook } from "standardwebhooks";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startCustomersReceiver } from "./receiver.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLjcv";
const receiver = await startCustomersReceiver();
const deliveries = receiver.expect("shop", SECRET);
afterAll(receiver.close);
beforeEach(() => (receiver.faults.length = 0));

async function deliver(id: string, occurrenceId: string, { secret = SECRET, ageMs = 0 } = {}): Promise<void> {
  const body = JSON.stringify({ event: "mission.completed", deliveryId: id, data: { occurrenceId } });
  const sentAt = new Date(Date.now() - ageMs);
  await fetch(receiver.urlOf("shop"), {
    method: "POST",
    body,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      "webhook-signature": `v1,other ${new Webhook(secret).sign(id, sentAt, body)}`,
      "x-service-delivery": id,
      "x-service-event": "mission.completed",
    },
  });
}

test("a correctly signed delivery is recorded, however often it arrives", async () => {
  for (let count = 0; count < 2; count++) await deliver("a1", "one");
  expect([...deliveries]).toEqual([["mission.completed one", "a1"]]);
  expect(receiver.faults).toEqual([]);
});

test("wrong and old signatures, and two deliveries of one fact, are faults", async () => {
  await deliver("b1", "two", { secret: "whsec_AfKQ9r8GKYqrTwjUPD8ILPZIo2LaLjcv" });
  await deliver("b2", "three", { ageMs: 301_000 });
  await deliver("b3", "three");
  expect(receiver.faults).toEqual([
    "delivery b1 is signed wrongly",
    expect.stringMatching(/^delivery b2 is signed for /),
    "mission.completed three was sent by delivery b2 and by delivery b3",
  ]);
});
