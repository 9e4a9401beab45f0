import { describe, expect, it } from "vitest";
import { firstRequests, keyPlaceholder, keyVariable, sampleEvent } from "./first-request.ts";

const property = (key: string, type: string, required = true) => ({ key, type, required });

describe("the event of the first request", () => {
  it("is a discovery if no event is defined", () =>
    expect(sampleEvent([])).toEqual({ event: "order_placed", properties: { amount: 4.5 } }));

  it("is the first active one, with its required properties alone", () => {
    const properties = [property("amount", "Number"), property("takeaway", "Boolean"), property("note", "String", false)];
    const events = [
      { key: "gone", active: false, properties: [] },
      { key: "visit", active: true, properties },
    ];
    expect(sampleEvent(events)).toEqual({ event: "visit", properties: { amount: 4.5, takeaway: true } });
  });
});

it("a shell accepts the requests unchanged, quotes too", () =>
  expect(
    firstRequests(
      "https://acme.test",
      { variable: "ACME_LIVE_KEY", key: "svc_live_1" },
      { event: "visit", properties: { shop: "Joe's" } },
      "2026-01-01T00:00:00Z",
    ),
  ).toBe(
    `export ACME_LIVE_KEY=svc_live_1
curl https://acme.test/v1/missions \\
  -H "Authorization: Bearer $ACME_LIVE_KEY" \\
  -d '{"playerId":"ann"}'
curl https://acme.test/v1/events \\
  -H "Authorization: Bearer $ACME_LIVE_KEY" \\
  -d '{
  "events": [
    {
      "playerId": "ann",
      "event": "visit",
      "occurredAt": "2026-01-01T00:00:00Z",
      "properties": {
        "shop": "Joe'\\''s"
      }
    }
  ]
}'`,
  ));

it("the variable of a key names its project and environment", () =>
  expect(keyVariable({ project: "acme-coffee", environment: "sandbox" })).toBe("ACME_COFFEE_SANDBOX_KEY"));

it("a placeholder of a key names its environment", () => {
  expect(keyPlaceholder("live")).toBe("svc_live_…");
  expect(keyPlaceholder("sandbox")).toBe("svc_sbox_…");
});
