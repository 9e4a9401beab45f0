/** The menu of the coffee shop, and its shops. Prices are in cents, so that an order's amount is exact. */

export const DRINKS = {
  espresso: 240,
  cortado: 310,
  americano: 290,
  "flat white": 360,
  cappuccino: 340,
  latte: 370,
  "filter coffee": 320,
  "cold brew": 410,
  decaf: 330,
  "matcha latte": 430,
  chai: 400,
  "hot chocolate": 380,
} as const;
export type Drink = keyof typeof DRINKS;

export const PASTRY = 350;

/** The shops of a region; customers visit those of theirs. */
export const SHOPS = {
  netherlands: ["Jordaan", "De Pijp", "Oudegracht", "Blaak"],
  belgium: ["Zurenborg", "Sablon", "Patershol"],
  britain: ["Shoreditch", "Soho", "Camden"],
  germany: ["Neukölln", "Kreuzberg", "Mitte"],
  portugal: ["Chiado", "Alfama", "Ribeira"],
  eastCoast: ["Chelsea", "Harlem", "Brooklyn Heights"],
  westCoast: ["Silver Lake", "Venice", "Echo Park"],
  brazil: ["Pinheiros", "Jardins", "Vila Madalena"],
  japan: ["Nakameguro", "Yanaka", "Shimokitazawa"],
  india: ["Bandra", "Colaba", "Indiranagar"],
  australia: ["Surry Hills", "Newtown", "Bondi"],
} as const;
export type Region = keyof typeof SHOPS;

export const ORIGINS = ["Yirgacheffe", "Huila", "Antigua", "Kirinyaga", "Tarrazú"] as const;
export const COMPLAINTS = ["cold", "wrong drink", "too bitter", "spilt"] as const;
export const INVITATIONS = ["link", "message", "at the counter"] as const;
