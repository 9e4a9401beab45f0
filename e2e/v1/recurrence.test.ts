import { describe, expect, test } from "vitest";
import type { Backend } from "../backend.ts";
import { atLeast, measured, mission, points, shop } from "../definitions.ts";
import { startService } from "../listening.ts";

const service = await startService();
const COMPLETED = { includeCompleted: true };
const two = { objectives: [atLeast(2)] };
const every = (unit: string, more: object = {}) => mission("recurring", { ...two, recurrence: { kind: "Calendar", every: unit }, ...more });
const afterCompletion = (more: object = {}) => ({ recurrence: { kind: "AfterCompletion", ...more } });

const recurring = (backend: Backend, playerId: string): Promise<any> => backend.mission(playerId, "recurring");
const countOf = async (backend: Backend, playerId: string): Promise<number> =>
  (await recurring(backend, playerId)).objectives[0].progress.actual.value;
/** Occurrence numbers and statuses of everything a player has of the recurring mission. */
const rows = async (backend: Backend, playerId: string): Promise<[string, number][]> =>
  (await backend.missions(playerId, COMPLETED)).map(({ status, occurrenceNumber }) => [status, occurrenceNumber]);

describe("a day of a calendar", () => {
  const START = "2031-05-01T00:00:00+02:00";
  const inAmsterdam = async (file: object) => {
    const backend = await service.sandbox(file, { timeZone: "Europe/Amsterdam" });
    await backend.post("/v1/players", { playerId: "ny", timeZoneId: "America/New_York" });
    return backend;
  };

  test("is by the player's zone, else the project's, numbered from the window's start", async () => {
    const backend = await inAmsterdam(shop(every("Day", { window: { startsAt: START } })));
    await backend.moveTo("2031-05-10T03:30:00Z");
    expect(await recurring(backend, "ams")).toMatchObject({ occurrenceNumber: 9, status: "InProgress" });
    expect(await recurring(backend, "ny")).toMatchObject({ occurrenceNumber: 9, status: "InProgress" });
    await backend.moveTo("2031-05-10T04:30:00Z");
    expect((await recurring(backend, "ams")).occurrenceNumber).toBe(9);
    expect((await recurring(backend, "ny")).occurrenceNumber).toBe(10);
    await backend.moveTo("2031-05-10T22:00:00Z");
    expect((await recurring(backend, "ams")).occurrenceNumber).toBe(10);
  });

  test("counts its events, to the millisecond", async () => {
    const backend = await inAmsterdam(shop(every("Day", { objectives: [atLeast(9)] })));
    await backend.moveTo("2031-05-10T12:00:00Z");
    const instants = [
      "2031-05-09T21:59:59.999Z",
      "2031-05-09T22:00:00Z",
      "2031-05-10T03:59:59.999Z",
      "2031-05-10T04:00:00Z",
      "2031-05-10T21:59:59.999Z",
      "2031-05-10T22:00:00Z",
      "2031-05-11T03:59:59.999Z",
      "2031-05-11T04:00:00Z",
    ];
    for (const playerId of ["ams", "ny"]) {
      await recurring(backend, playerId);
      await backend.play(...instants.map((occurredAt) => ({ playerId, occurredAt })));
      expect(await countOf(backend, playerId), playerId).toBe(4);
    }
  });

  test("is 23 or 25 hours long when the clocks change", async () => {
    const backend = await inAmsterdam(shop(every("Day", { objectives: [atLeast(9)], window: { startsAt: "2031-03-29T12:00:00Z" } })));
    await backend.moveTo("2031-03-30T12:00:00Z");
    expect((await recurring(backend, "ams")).occurrenceNumber).toBe(1);
    const around = (...instants: string[]) => backend.play(...instants.map((occurredAt) => ({ playerId: "ams", occurredAt })));
    await around("2031-03-29T22:59:59.999Z", "2031-03-29T23:00:00Z", "2031-03-30T21:59:59.999Z", "2031-03-30T22:00:00Z");
    expect(await countOf(backend, "ams")).toBe(2);
    await backend.moveTo("2031-10-26T12:00:00Z");
    expect((await recurring(backend, "ams")).occurrenceNumber).toBe(211);
    await around("2031-10-25T21:59:59.999Z", "2031-10-25T22:00:00Z", "2031-10-26T22:59:59.999Z", "2031-10-26T23:00:00Z");
    expect(await countOf(backend, "ams")).toBe(2);
  });

  test("follows the day before without gap or overlap, in every zone, over every change of its clocks", async () => {
    const backend = await service.sandbox(shop(every("Day", { objectives: [atLeast(1)], window: { startsAt: "2031-09-01T00:00:00Z" } })));
    const zones = ["UTC", "America/Santiago", "Asia/Kolkata", "Pacific/Kiritimati", "Australia/Lord_Howe"];
    for (const timeZoneId of zones) await backend.post("/v1/players", { playerId: timeZoneId, timeZoneId });
    const local = (at: number, zone: string) => new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(at);
    const days = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
    await backend.moveTo("2031-09-04T03:30:00Z");
    for (let hours = 0; hours < 120; hours += 9) {
      const now = await backend.advance("PT9H");
      for (const zone of zones) {
        await recurring(backend, zone);
        await backend.send({ playerId: zone, occurredAt: new Date(now).toISOString() });
      }
      await backend.applied();
      for (const zone of zones) {
        const [{ status, occurrenceNumber }] = await backend.missions(zone, COMPLETED);
        const expected = days(local(now, zone)) - days(local(Date.parse("2031-09-01T00:00:00Z"), zone));
        expect([zone, status, occurrenceNumber]).toEqual([zone, "Completed", expected]);
      }
    }
    for (const zone of zones) {
      const numbers = (await backend.missions(zone, COMPLETED)).map(({ occurrenceNumber }) => occurrenceNumber);
      expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => numbers[0] - index));
      expect((await backend.points(zone)).balance).toBe(10 * numbers.length);
    }
  });

  test("completes once, and the next day begins with its first event", async () => {
    const backend = await service.sandbox(shop(every("Day")));
    await backend.moveTo("2031-05-10T12:00:00Z");
    await recurring(backend, "ann");
    const order = (occurredAt: string) => ({ playerId: "ann", occurredAt });
    await backend.play(order("2031-05-10T12:00:00Z"), order("2031-05-10T12:00:00Z"), order("2031-05-10T12:00:00Z"));
    expect(await recurring(backend, "ann")).toBeUndefined();
    const [[, first]] = (await rows(backend, "ann")) as [[string, number]];
    await backend.moveTo("2031-05-11T00:00:01Z");
    await backend.play(order("2031-05-11T00:00:00Z"));
    expect(await countOf(backend, "ann")).toBe(1);
    await backend.play(order("2031-05-11T00:00:00Z"), order("2031-05-11T00:00:00Z"));
    await backend.moveTo("2031-05-12T08:00:00Z");
    expect(await rows(backend, "ann")).toEqual([
      ["InProgress", first + 2],
      ["Completed", first + 1],
      ["Completed", first],
    ]);
    expect((await backend.points("ann")).balance).toBe(20);
    const ids = new Set((await backend.transactions("ann")).map(({ sourceId }) => sourceId));
    expect(ids.size).toBe(2);
  });

  test("unfinished ends with its day; for 24 hours it counts late events of it, without touching the next one", async () => {
    const backend = await service.sandbox(shop(every("Day")));
    const order = (occurredAt: string) => ({ playerId: "ann", occurredAt });
    await backend.moveTo("2031-05-10T12:00:00Z");
    const { occurrenceNumber: first } = await recurring(backend, "ann");
    await backend.play(order("2031-05-10T12:00:00Z"));
    await backend.moveTo("2031-05-11T12:00:00Z");
    expect(await rows(backend, "ann")).toEqual([["InProgress", first + 1]]);
    await backend.play(order("2031-05-10T23:59:59Z"));
    expect(await rows(backend, "ann")).toEqual([
      ["InProgress", first + 1],
      ["Completed", first],
    ]);
    expect(await countOf(backend, "ann")).toBe(0);
    expect((await backend.points("ann")).balance).toBe(10);

    await backend.play(order("2031-05-11T12:00:00Z"));
    await backend.moveTo("2031-05-13T00:00:01Z");
    await backend.play(order("2031-05-11T12:00:00Z"), order("2031-05-11T12:00:00Z"));
    expect((await backend.points("ann")).balance).toBe(10);
    expect(await rows(backend, "ann")).toEqual([
      ["InProgress", first + 3],
      ["Completed", first],
    ]);
  });

  test("counts a late event without a read in between, beside the next day, which has begun by itself", async () => {
    const backend = await service.sandbox(shop(every("Day")));
    const order = (occurredAt: string) => ({ playerId: "ann", occurredAt });
    await backend.moveTo("2031-05-10T12:00:00Z");
    await recurring(backend, "ann");
    await backend.moveTo("2031-05-11T23:59:00Z");
    await backend.play(order("2031-05-10T10:00:00Z"), order("2031-05-11T10:00:00Z"), order("2031-05-10T11:00:00Z"));
    expect((await backend.points("ann")).balance).toBe(10);
    expect(await countOf(backend, "ann")).toBe(1);
  });

  test("cannot be opened twice by a change of zone", async () => {
    const backend = await service.sandbox(shop(every("Day", { objectives: [atLeast(1)] })));
    const zone = (timeZoneId: string | null) => backend.post("/v1/players", { playerId: "ann", timeZoneId });
    await zone("Pacific/Auckland");
    await backend.moveTo("2031-05-09T23:00:00Z");
    await recurring(backend, "ann");
    await backend.play({ playerId: "ann", occurredAt: "2031-05-09T22:00:00Z" });
    await zone("America/New_York");
    expect(await recurring(backend, "ann")).toBeUndefined();
    await backend.moveTo("2031-05-10T15:00:00Z");
    expect(await recurring(backend, "ann")).toBeUndefined();
    await backend.moveTo("2031-05-11T15:00:00Z");
    expect(await recurring(backend, "ann")).toBeDefined();
    expect((await backend.points("ann")).balance).toBe(10);
  });

  test("is only offered: the offer ends with its day, and the next day has another one", async () => {
    const backend = await service.sandbox(shop(every("Day", { optIn: "Manual", objectives: [atLeast(1)] })));
    await backend.moveTo("2031-05-10T12:00:00Z");
    const offer = await recurring(backend, "ann");
    expect(offer.status).toBe("Available");
    await backend.moveTo("2031-05-11T12:00:00Z");
    const closed = await backend.accept("ann", "recurring");
    expect([closed.status, closed.code]).toEqual([409, "mission.offer_closed"]);
    expect(await recurring(backend, "ann")).toMatchObject({ status: "Available", occurrenceNumber: offer.occurrenceNumber + 1 });
    expect((await backend.accept("ann", "recurring")).status).toBe(204);
    await backend.play({ playerId: "ann", occurredAt: "2031-05-11T12:00:00Z" });
    expect((await backend.points("ann")).balance).toBe(10);
    await backend.moveTo("2031-05-12T12:00:00Z");
    expect(await recurring(backend, "ann")).toMatchObject({ status: "Available", isAccepted: false, acceptedAtUtc: null });
  });
});

describe("weeks and months", () => {
  test("a week begins on Monday, a month on its first day; numbers count the boundaries crossed", async () => {
    const week = every("Week", { key: "week", window: { startsAt: "2031-05-11T12:00:00Z" } });
    const month = every("Month", { key: "month", window: { startsAt: "2030-12-31T23:30:00+01:00" } });
    const backend = await service.sandbox(shop(week, month), { timeZone: "Europe/Amsterdam" });
    const numbers = async () => (await backend.missions("ann")).map(({ occurrenceNumber }) => occurrenceNumber);
    await backend.moveTo("2031-05-11T21:59:00Z");
    expect(await numbers()).toEqual([0, 5]);
    await backend.moveTo("2031-05-11T22:00:00Z");
    expect(await numbers()).toEqual([1, 5]);
    await backend.moveTo("2031-05-31T21:59:00Z");
    expect(await numbers()).toEqual([3, 5]);
    await backend.moveTo("2031-05-31T22:00:00Z");
    expect(await numbers()).toEqual([3, 6]);
    await backend.moveTo("2032-03-01T00:00:00Z");
    expect(await numbers()).toEqual([43, 15]);
  });

  test("without a window numbers count from the mission's creation, on the environment's clock", async () => {
    const backend = await service.sandbox();
    await backend.moveTo("2031-05-15T12:00:00Z");
    await backend.define(shop(every("Month")));
    expect((await recurring(backend, "ann")).occurrenceNumber).toBe(0);
    await backend.moveTo("2032-02-29T12:00:00Z");
    expect((await recurring(backend, "ann")).occurrenceNumber).toBe(9);
  });

  test("a distinct measure starts anew with each occurrence", async () => {
    const backend = await service.sandbox(shop(every("Week", { objectives: [atLeast(2, measured("DistinctCount", "drink"))] })));
    const drink = (name: string, occurredAt: string) => ({ playerId: "ann", occurredAt, properties: { drink: name } });
    await backend.moveTo("2031-05-14T12:00:00Z");
    await recurring(backend, "ann");
    await backend.play(drink("tea", "2031-05-14T12:00:00Z"), drink("mocha", "2031-05-14T12:00:00Z"));
    await backend.moveTo("2031-05-20T12:00:00Z");
    await recurring(backend, "ann");
    await backend.play(drink("tea", "2031-05-20T12:00:00Z"));
    expect(await countOf(backend, "ann")).toBe(1);
    await backend.play(drink("mocha", "2031-05-20T12:00:00Z"));
    expect((await backend.points("ann")).balance).toBe(20);
  });
});

describe("after completion", () => {
  test("the next read enters the next occurrence, which starts from nothing", async () => {
    const backend = await service.sandbox(shop(mission("recurring", { ...two, ...afterCompletion(), rewards: [points(10)] })));
    const order = { playerId: "ann" };
    expect(await recurring(backend, "ann")).toMatchObject({ occurrenceNumber: 0 });
    await backend.play(order, order, order, order);
    expect((await backend.points("ann")).balance).toBe(10);
    expect(await recurring(backend, "ann")).toMatchObject({ occurrenceNumber: 1, objectives: [{ progress: { actual: { value: 0 } } }] });
    await backend.play(order, order);
    await recurring(backend, "ann");
    await backend.play(order);
    const all = await backend.missions("ann", COMPLETED);
    expect(all.map(({ status, occurrenceNumber }) => [status, occurrenceNumber])).toEqual([
      ["InProgress", 2],
      ["Completed", 1],
      ["Completed", 0],
    ]);
    expect(all[0].objectives[0].progress.actual.value).toBe(1);
    expect((await backend.points("ann")).balance).toBe(20);
  });

  test("a cooldown runs from the completion; a maximum ends it", async () => {
    const backend = await service.sandbox(shop(mission("recurring", afterCompletion({ cooldownHours: 1.5, maxOccurrences: 2 }))));
    const play = () => backend.play({ playerId: "ann" });
    await recurring(backend, "ann");
    await play();
    expect(await recurring(backend, "ann")).toBeUndefined();
    await play();
    await backend.advance("PT1H29M");
    expect(await recurring(backend, "ann")).toBeUndefined();
    await backend.advance("PT1M");
    expect(await recurring(backend, "ann")).toMatchObject({ occurrenceNumber: 1, objectives: [{ progress: { actual: { value: 0 } } }] });
    await play();
    await backend.advance("P30D");
    expect(await rows(backend, "ann")).toEqual([
      ["Completed", 1],
      ["Completed", 0],
    ]);
    await play();
    expect((await backend.points("ann")).balance).toBe(20);
  });

  test("manual: each occurrence is an offer of its own", async () => {
    const backend = await service.sandbox(shop(mission("recurring", { optIn: "Manual", ...afterCompletion() })));
    await recurring(backend, "ann");
    await backend.accept("ann", "recurring");
    await backend.play({ playerId: "ann" });
    expect((await backend.accept("ann", "recurring")).status).toBe(204);
    expect(await recurring(backend, "ann")).toMatchObject({ status: "Available", occurrenceNumber: 1, isAccepted: false });
    await backend.play({ playerId: "ann" });
    expect((await backend.points("ann")).balance).toBe(10);
    await backend.accept("ann", "recurring");
    await backend.play({ playerId: "ann" });
    expect((await backend.points("ann")).balance).toBe(20);
  });

  test("a closed window ends it with the running occurrence", async () => {
    const backend = await service.sandbox(shop(mission("recurring", { ...afterCompletion(), window: { endsAt: "2031-05-10T00:00:00Z" } })));
    await recurring(backend, "ann");
    await backend.moveTo("2031-05-10T00:00:00Z");
    await backend.play({ playerId: "ann" });
    expect(await rows(backend, "ann")).toEqual([["Completed", 0]]);
  });
});
