// The first test of docs/testing.md; testing/kit.test.ts compares the two.
import { expect, test } from "../playwright.ts";

test.use({
  engagementOptions: {
    definitions: {
      events: [{ key: "order_placed", name: "Order placed" }],
      missions: [
        {
          key: "two_coffees",
          name: "Two coffees",
          objectives: [{ event: "order_placed", operator: "GreaterThanOrEqualTo", target: 2 }],
          rewards: [{ kind: "Points", points: 10 }],
        },
      ],
    },
  },
});

for (const name of ["ann", "bob", "eve", "dan"]) {
  test(`two coffees complete the mission of ${name}`, async ({ engagement }) => {
    const player = engagement.player(name);
    // Reading the missions enters the player: events count from then on.
    await player.missions();
    await player.send("order_placed");
    await player.send("order_placed");
    await engagement.settled();
    expect(await player.mission("two_coffees")).toMatchObject({ status: "Completed" });
    expect((await player.points()).balance).toBe(10);
    const { data } = await engagement.webhooks.next("mission.completed", { player });
    expect(data).toMatchObject({ playerExternalId: name, missionKey: "two_coffees" });
  });
}
