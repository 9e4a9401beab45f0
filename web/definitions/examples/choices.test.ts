import { expect, test } from "vitest";
import { AUTHORING_EXAMPLES } from "#server/model/rules/authoring-examples.ts";
import { draftOf } from "../document/draft.ts";
import { blankDraft } from "../kinds/drafts.ts";
import { problemsOf } from "../document/problems.ts";
import { documentOfExample, filledIn, MAKE, optionsFor, usualFor } from "./choices.ts";

const bigBasket = AUTHORING_EXAMPLES.find(({ key }) => key === "big_basket")!;
const [need] = bigBasket.needs;
const event = (key: string, ...properties: { key: string; type: string }[]) => ({ key, name: key, active: true, properties });
const known = (...events: ReturnType<typeof event>[]) => ({ events, metrics: [], attributes: [] });
const total = { key: "total", type: "Number" };
const amount = { key: "amount", type: "Number" };

test("an event is offered for each matching property, and a new one always", () => {
  const options = optionsFor(need!, known(event("paid", total, { key: "shop", type: "String" }), event("opened")));
  expect(options.map(({ value }) => value)).toEqual([MAKE, "paid:total"]);
});

test.each([
  ["nothing is there", known(), MAKE],
  ["it is there as the example has it", known(event("order_placed", amount)), "order_placed:amount"],
  ["it is there with another property of the type", known(event("order_placed", total)), "order_placed:total"],
  ["it is there without a property of the type", known(event("order_placed", { key: "shop", type: "String" })), MAKE],
])("the usual choice where %s", (_, there, usual) => {
  expect(usualFor(need!, optionsFor(need!, there))).toBe(usual);
});

test.each([
  [
    "lacks the property",
    known(event("order_placed")),
    /exists, but has no property of the type Number.*order_placed_2.*add a property such as amount/,
  ],
  [
    "is switched off",
    known({ ...event("order_placed", amount), active: false }),
    /exists, but is switched off.*order_placed_2.*switch it on/,
  ],
  ["can be used", known(event("order_placed", amount)), /exists\. This creates another one, order_placed_2\.$/],
])("creating says in words that the event exists where it %s", (_, there, note) => {
  expect(optionsFor(need!, there)[0]).toMatchObject({ label: "Create another “Order placed”", note: expect.stringMatching(note) });
  expect(optionsFor(need!, known())[0]!.note).toBeUndefined();
});

test("the chosen definition is used, and only new ones are added", () => {
  const there = known(event("paid", total));
  const chosen = filledIn(bigBasket, { order: "paid:total" }, there);
  expect(chosen).toMatchObject({ along: [], definition: { objectives: [{ event: "paid", where: { property: "total" } }] } });
  expect(filledIn(bigBasket, { order: "gone:total" }, there)).toMatchObject({ along: [{ kind: "events" }] });
});

test("an added definition never replaces an existing one", () => {
  const { along, definition } = filledIn(bigBasket, {}, known(event("order_placed")));
  expect(JSON.parse(along[0]!.document)).toMatchObject({ key: "order_placed_2" });
  expect(definition).toMatchObject({ objectives: [{ event: "order_placed_2" }] });
});

test.each(AUTHORING_EXAMPLES)("$key opens a form without problems, in which every member has a value", (example) => {
  const document = documentOfExample(example.kind, filledIn(example, {}, known()).definition, "nl");
  const draft = draftOf(document, "nl");
  expect(problemsOf(example.kind, draft)).toEqual([]);
  expect(draft.name).toMatchObject({ default: "nl" });
  expect(Object.keys(draft)).toEqual(expect.arrayContaining(Object.keys(blankDraft(example.kind, "nl"))));
});
