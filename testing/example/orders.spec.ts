// The tests of the guide "Testing your integration"; web/docs/docs.test.ts compares them with the guide.
import { expect, test } from "../playwright.ts";

test("the first order completes a mission, and the shop is told", async ({ engagement }) => {
  const ann = engagement.player();
  await ann.missions(); // enters her: earlier events would not count
  await ann.send("order_placed", { amount: 4.5 });
  await engagement.settled();

  expect(await ann.mission("first_order")).toMatchObject({ status: "Completed" });
  await engagement.webhooks.next("mission.completed", {
    player: ann,
    where: ({ missionKey }) => missionKey === "first_order",
  });
});

test("tomorrow there is another cup", async ({ engagement }) => {
  const bob = engagement.player();
  await bob.missions();
  await bob.send("order_placed", { amount: 3 });
  await engagement.settled();
  await engagement.clock.advance("P1D");
  await bob.send("order_placed", { amount: 3 });
  await engagement.settled();
  expect((await bob.streaks())[0]).toMatchObject({ currentLength: 2 });
});

// The guide uses a folder that was pulled from the demo.
test.use({ engagementOptions: { definitions: `${import.meta.dirname}/../../server/operations/demo/definitions.json` } });
