import { expect, test, vi } from "vitest";
import { z } from "zod";
import { randomId } from "./random-id.ts";

test("a random id is a UUID of version 4, also on plain http, where the browser makes none", () => {
  const { crypto } = globalThis;
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const ids = Array.from({ length: 1_000 }, randomId);
  vi.unstubAllGlobals();
  for (const id of ids) expect(z.uuidv4().parse(id)).toBe(id);
  expect(new Set(ids).size).toBe(ids.length);
});
