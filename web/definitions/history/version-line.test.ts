import { expect, it } from "vitest";
import { changedWords } from "./version-line.tsx";

const version = { isDeleted: false, isFirst: false, isOn: true, via: "save", members: [] as string[] } as const;

it.each<[given: Partial<Parameters<typeof changedWords>[0]>, words: string]>([
  [{ members: ["rewards"] }, "changed rewards"],
  [{ members: ["rewards", "description"] }, "changed rewards and description"],
  [{ members: ["a", "b", "c", "d"] }, "changed a, b, c and 1 more"],
  [{ isFirst: true }, "created it"],
  [{ isFirst: true, via: "promote" }, "created it (promotion)"],
  [{ via: "restore", members: ["rewards"] }, "changed rewards (restored an earlier version)"],
  [{ via: "switch", members: ["active"] }, "switched it on"],
  [{ via: "switch", members: ["active"], isOn: false }, "switched it off"],
  [{ via: "delete", isDeleted: true }, "deleted it"],
  [{ via: "earlier", isFirst: true }, "changed it before versions were kept"],
])("%j reads as %j", (given, words) => expect(changedWords({ ...version, ...given })).toBe(words));
