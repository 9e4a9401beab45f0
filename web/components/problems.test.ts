import { ORPCError } from "@orpc/client";
import { expect, test } from "vitest";
import { actionProblemOf, problemOf } from "./problems.tsx";

test("a failed call is explained in the service's own words if it gives a reason, and in general ones otherwise", () => {
  const busy = "The database cannot be reached right now. Try again in a moment.";
  expect(problemOf(new ORPCError("SERVICE_UNAVAILABLE", { message: busy }))).toBe(busy);
  expect(problemOf(new ORPCError("REFUSED", { status: 422, message: "The key is taken.", data: { problems: [] } }))).toBe(
    "The key is taken.",
  );
  const unknown = "Something went wrong. Try again; if it keeps failing, check the service's log.";
  expect(problemOf(new ORPCError("INTERNAL_SERVER_ERROR"))).toBe(unknown);
  // As the client reads a page of a proxy.
  expect(problemOf(new ORPCError("SERVICE_UNAVAILABLE", { data: { status: 503, headers: {}, body: "<h1>503</h1>" } }))).toBe(unknown);
  expect(problemOf(Object.assign(new Error("An error occurred"), { digest: "2049173847" })), "of a server action").toBe(unknown);
  const full = "Too many pages are being loaded right now. Try again in a moment.";
  expect(actionProblemOf(new Error(`${full}\n`)), "of a server action that was refused").toBe(full);
  const foreign = new Error("An unexpected response was received from the server.");
  expect(actionProblemOf(foreign), "of a proxy").toContain("cannot be reached");
  expect(problemOf(new TypeError("Failed to fetch"))).toContain("cannot be reached");
});
