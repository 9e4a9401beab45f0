import type { Divergence, Same } from "./chosen.ts";

/** Filter state of the differences. */
export interface View {
  search: string;
  kind: Divergence["kind"] | "all";
  status: ChangeStatus;
}

/** "all" means every difference. */
export type ChangeStatus = "all" | "changed" | "new" | "off" | "same";

export const NO_FILTER: View = { search: "", kind: "all", status: "all" };

/** The statuses in display order: changes can overwrite something, so they come first. */
export const SIGNS = ["~", "+", "-"] as const;

const SIGN_OF = { changed: "~", new: "+", off: "-" } as const;

interface Found {
  kind: Divergence["kind"];
  key: string;
  name: string;
}

/** Whether a definition is of the kind and has all words in its name or key. */
const isSought = ({ kind, key, name }: Found, view: View): boolean => {
  const text = `${name} ${key}`.toLowerCase();
  const words = view.search.toLowerCase().split(/\s+/);
  return (view.kind === "all" || kind === view.kind) && words.every((word) => text.includes(word));
};

export interface ShownChanges {
  /** The matching definitions, by status. */
  divergences: Divergence[];
  same: Same[];
  /** The number per status, with the other filters applied. */
  counts: Record<ChangeStatus, number>;
}

export function shownIn(divergences: readonly Divergence[], same: readonly Same[], view: View): ShownChanges {
  const sought = divergences.filter((one) => isSought(one, view));
  const alike = same.filter((one) => isSought(one, view));
  const count = (sign: Divergence["sign"]) => sought.filter((one) => one.sign === sign).length;
  const { status } = view;
  const wanted = status === "all" ? SIGNS : status === "same" ? [] : [SIGN_OF[status]];
  return {
    divergences: wanted.flatMap((sign) => sought.filter((one) => one.sign === sign)),
    same: status === "same" ? alike : [],
    counts: { all: sought.length, changed: count("~"), new: count("+"), off: count("-"), same: alike.length },
  };
}

/** The selection in an address: "missions:first_order,segments:vip"; unchanged definitions are ignored. */
export function chosenFrom(text: string | null, divergences: readonly Pick<Divergence, "kind" | "key">[]): Set<string> {
  const named = new Set((text ?? "").split(",").map((one) => one.replace(":", "/")));
  return new Set(divergences.map(({ kind, key }) => `${kind}/${key}`).filter((name) => named.has(name)));
}
