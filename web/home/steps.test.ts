import { describe, expect, it } from "vitest";
import { firstSteps } from "./steps.ts";

const NOTHING = { events: 0, missions: 0, hasReceived: false };
const done = (environment: "sandbox" | "live", changes: Partial<typeof NOTHING>) =>
  firstSteps({ project: "acme", environment }, { ...NOTHING, ...changes }).map(({ title, isDone }) => [title, isDone]);

describe("the first steps", () => {
  it("of the Sandbox define, send and reward", () =>
    expect(done("sandbox", { events: 1, hasReceived: true })).toEqual([
      ["Define your events", true],
      ["Send your first event", true],
      ["Reward it with a mission", false],
    ]));

  it("in Live: promote tried definitions, and send", () =>
    expect(done("live", { events: 1, missions: 1 })).toEqual([
      ["Promote to Live", true],
      ["Send your first event", false],
    ]));

  it("in Live: promotion comes from the Sandbox, everything else stays in the environment", () =>
    expect(firstSteps({ project: "acme", environment: "live" }, NOTHING).map(({ href }) => href)).toEqual([
      "/dashboard/acme/sandbox/promote",
      "/dashboard/acme/live/developers/quickstart",
    ]));
});
