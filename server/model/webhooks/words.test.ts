import { expect, test } from "vitest";
import { exchangeInBrief } from "./words.ts";

test.each([
  ["getaddrinfo ENOTFOUND shop.example", "Its host name cannot be resolved"],
  ["connect ECONNREFUSED 203.0.113.7:443", "Nothing listens at this address and port"],
  ["other side closed", "It closed the connection before it answered"],
  ["Something else in 1.5 s", "It could not be reached: Something else in 1.5 s"],
])("%j is %j in a list, without the remedy", (error, words) => expect(exchangeInBrief({ status: null, error })).toBe(words));
