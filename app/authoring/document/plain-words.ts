/**
 * The service tells its findings in the words of the definitions file, for whoever reads one. Whoever fills in a form knows
 * fields and no members: the same findings in their words.
 */
export function inPlainWords(message: string): string {
  return REWORDED.reduce((text, [from, to]) => text.replace(from, to as string), message);
}

type Replacement = readonly [from: RegExp, to: string | ((whole: string, ...parts: string[]) => string)];

/** Types as the forms call them. */
const TYPES: Record<string, string> = {
  String: "text",
  Number: "number",
  Boolean: "yes or no",
  DateTime: "date and time",
  Collection: "list of texts",
};
const typeName = (type: string): string => TYPES[type] ?? type;

/** What a field is called whose member says it otherwise. */
const FIELDS: Record<string, string> = {
  objectiveOrder: "order of the objectives",
  valueType: "type of value",
  scoreSource: "source of the scores",
  rankOrder: "order",
  teamAttribute: "team attribute",
  where: "filter",
  "period/kind": "kind of period",
};

const fieldName = (whole: string, member: string): string => (FIELDS[member] === undefined ? whole : `the ${FIELDS[member]} of`);

const REWORDED: readonly Replacement[] = [
  // What a shape asks for.
  [
    /must be a lowercase letter followed by at most 99 lowercase letters, digits and "_"/,
    "use lowercase letters, digits and _ only, with a letter first, such as order_placed; at most 100 characters",
  ],
  [
    /must be an absolute URL with http or https and at most 2048 characters, or the id of an uploaded image/,
    "give an address that begins with https://, or upload an image",
  ],
  [/must be an RFC 3339 timestamp[^;]*/, "choose a date and time"],
  [/must be three capital letters, such as "EUR"/, "choose a currency"],
  [/^must not be empty$/, "fill this in"],
  // Nobody reaches the largest numbers that can be stored.
  [/from (\d+) to (9007199254740991|2147483647)/, "of at least $1"],
  [/later than startsAt/, "later than the start"],
  [/at least (\d+), the fromRank/, "at least $1, where its ranks begin"],
  [/, as many as are promoted and relegated/, ", as many as move up and down together"],
  [/must be a list of at least one value for \w+/, "add at least one value"],
  // What is there already, or is not.
  [/, at \/\S+(?=;)/, ""],
  [/; leave one of the two out/, "; change or remove one of the two"],
  [/needs no rate; leave it out/, "needs no rate; choose another currency"],
  [/; upload it, or have it in the file.*$/, "; upload it again"],
  [/, or set "baseCurrency" in the file/, ""],
  [/metric of kind Currency/, "metric of money"],
  // What cannot change.
  [/^the optIn of a mission/, "how a mission starts"],
  [/^the ([\w/]+) of(?= )/, fieldName],
  [/; it has .* at \/\S+$/, ""],
  [/; it is "(String|Number|Boolean|DateTime|Collection)"$/, (_, type) => `; there it is ${typeName(type!)}`],
  [/; it is [[{"].*$/, ""],
  [/is a (String|Number|Boolean|DateTime|Collection)$/, (_, type) => `is of the type ${typeName(type!)}`],
  [/, as it stands for a \w+$/, ""],
  [/(the property ".*" cannot be removed while .* uses? it)$/, "$1; put it back, or take it out there first"],
  // Kinds as the screens call them.
  [/\bmarketplace item/g, "listing"],
  [/\bmarketplace collection/g, "listing collection"],
];
