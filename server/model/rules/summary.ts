/** What a list shows of a definition besides its name: plain data, by the name of the column. Numbers that must be exact are texts. */
export type Summary = Record<string, string | number | boolean | null>;

/** The fields of summaries that lists are sorted by. */
export const SORTED_FIELDS = ["price", "stock", "points", "properties", "milestones", "members", "endsAt"] as const;

/** How often something repeats. */
export const everyOf = (recurrence: { kind: string; every?: string }): string => recurrence.every ?? recurrence.kind;

/** The picture that stands for a definition in a list: the slot "icon", or else the first one; a URL, or the id of an image. */
export const iconOf = (images: Record<string, string>): string | null => images.icon ?? Object.values(images)[0] ?? null;
