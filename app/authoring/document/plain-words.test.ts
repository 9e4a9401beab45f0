import { expect, it } from "vitest";
import { inPlainWords } from "./plain-words.ts";

it.each([
  [
    'must be a lowercase letter followed by at most 99 lowercase letters, digits and "_"',
    "use lowercase letters, digits and _ only, with a letter first, such as order_placed; at most 100 characters",
  ],
  ["must be later than startsAt", "must be later than the start"],
  ["must be at least 6, as many as are promoted and relegated", "must be at least 6, as many as move up and down together"],
  [
    "the optIn of a mission cannot change; define a new one under a new key",
    "how a mission starts cannot change; define a new one under a new key",
  ],
  [
    'the valueType of a catalog item cannot change; define a new one under a new key; it is "String"',
    "the type of value of a catalog item cannot change; define a new one under a new key; there it is text",
  ],
  [
    'the objectives of a mission cannot change; define a new one under a new key; it has "tea" at /missions/0/objectives/0/event',
    "the objectives of a mission cannot change; define a new one under a new key",
  ],
  [
    "a key cannot change; define a new marketplace collection under a new key",
    "a key cannot change; define a new listing collection under a new key",
  ],
  ['there is no event "order_placd"; did you mean "order_placed"?', 'there is no event "order_placd"; did you mean "order_placed"?'],
])("%s", (message, plain) => expect(inPlainWords(message)).toBe(plain));
