import { expect, it } from "vitest";
import { allOf, inOrderOf, stillThere, toShow, whereLeft } from "./use-problems.ts";

const wrong = (pointer: string) => ({ pointer, message: "is wrong" });

it("a finding of the service stays until the value at its path changes", () => {
  const draft = { key: "cup", objectives: [{ event: "order_placd", target: 5 }] };
  const reported = { draft, problems: [wrong("/objectives/0/event"), wrong("/key"), wrong("")] };
  expect(stillThere(reported, draft)).toEqual(reported.problems);
  expect(stillThere(reported, { ...draft, objectives: [{ event: "order_placd", target: 6 }] })).toEqual([
    wrong("/objectives/0/event"),
    wrong("/key"),
  ]);
  expect(stillThere(reported, { ...draft, objectives: [{ event: "order_placed", target: 5 }] })).toEqual([wrong("/key")]);
  expect(stillThere(reported, { ...draft, objectives: [] })).toEqual([wrong("/key")]);
});

it("no problem is shown at a field before it was visited", () => {
  const problems = [wrong("/name/texts/en"), wrong("/rewards"), wrong("/objectives/10/target")];
  expect(whereLeft(problems, new Set())).toEqual([]);
  expect(whereLeft(problems, new Set(["/name", "/objectives/1"]))).toEqual([wrong("/name/texts/en")]);
});

it("after a failed save its problems are shown until they are fixed, and a field added afterwards shows none", () => {
  const tried = new Set(["/name/texts/en", "/rewards"]);
  const now = [wrong("/name/texts/en"), wrong("/rewards/0/points"), wrong("/key")];
  expect(toShow(now, tried, new Set())).toEqual([wrong("/name/texts/en")]);
  expect(toShow(now, tried, new Set(["/rewards/0"]))).toEqual([wrong("/name/texts/en"), wrong("/rewards/0/points")]);
});

it("a field shows one problem at a time, the form's own first", () => {
  expect(allOf([wrong("/a")], [{ pointer: "/a", message: "is missing" }, wrong("/b")])).toEqual([wrong("/a"), wrong("/b")]);
});

it("problems are listed in the order of the form, not of the file", () => {
  const places = ["/name", "/name/texts/en", "/key", "/objectives", "/objectives/0/event", "/rewards", "/audience/otherwise"];
  const problems = ["/audience", "/key", "/rewards/0/points", "/objectives/0/target", "/name/texts/en", ""].map(wrong);
  expect(inOrderOf(places, problems).map(({ pointer }) => pointer)).toEqual([
    "/audience",
    "",
    "/name/texts/en",
    "/key",
    "/objectives/0/target",
    "/rewards/0/points",
  ]);
});
