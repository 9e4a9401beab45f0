import { expect, test } from "vitest";
import { keyedEventId, keyedMetricEventId, playerKey } from "./identity.ts";

test("ids stay the same from version to version, since stored rows have them", () => {
  expect(playerKey(7, "Zoë 🎉")).toEqual({ part: 38, playerId: "099a5cd2-f161-8974-8af8-ef5c17d7aebe" });
  expect(keyedEventId("099a5cd2-f161-8974-8af8-ef5c17d7aebe", "order", "k-1")).toBe("d7abf88d-016f-85a7-8e61-b131b200825d");
  expect(keyedMetricEventId("099a5cd2-f161-8974-8af8-ef5c17d7aebe", "spend", "k-1")).toBe("73ba84bc-9fb4-8b3c-b75f-04178c1ca027");
});
