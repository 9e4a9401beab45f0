import { type Catalogue, EMPTY_CATALOGUE } from "./catalogue.ts";

const active = true;

/** The catalogue of the test sentences: the coffee bar of example.json. */
export const COFFEE_BAR: Catalogue = {
  ...EMPTY_CATALOGUE,
  languages: ["en", "nl"],
  timeZone: "Europe/Brussels",
  events: [
    {
      key: "order_placed",
      name: "Order placed",
      active,
      properties: [
        { key: "amount", type: "Number" },
        { key: "drink", type: "String" },
        { key: "takeaway", type: "Boolean" },
        { key: "pickup_at", type: "DateTime" },
      ],
    },
    { key: "friend_invited", name: "Friend invited", active, properties: [] },
  ],
  metrics: [
    { key: "steps", name: "Steps", active, properties: [] },
    { key: "spend", name: "Spend", active, properties: [{ key: "channel", type: "String" }] },
  ],
  attributes: [
    { key: "tier", name: "Tier", active, type: "String" },
    { key: "office", name: "Office", active, type: "String" },
    { key: "age", name: "Age", active, type: "Number" },
  ],
  segments: [{ key: "vip", name: "VIP", active }],
  catalogItems: [
    { key: "free_coffee", name: "Free coffee", active, valueType: "Number" },
    { key: "cup_colours", name: "Cup colours", active, valueType: "Collection" },
    { key: "title", name: "Title", active, valueType: "String" },
  ],
  missions: [{ key: "first_order", name: "First order", active }],
  streaks: [{ key: "daily_coffee", name: "Daily coffee", active }],
};
