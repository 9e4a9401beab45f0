import { useRef } from "react";
import { moved } from "../rules/tree.ts";

let made = 0;
const newId = (): string => `entry-${++made}`;

/**
 * List entries with stable keys while they are edited, moved and removed, so that input and focus stay with them: the entries themselves
 * are plain data.
 */
export function useKeyedList<Item>(list: readonly Item[], onChange: (list: Item[]) => void) {
  const ids = useRef<string[]>([]);
  // Changed from outside: reset, or filled from a copy.
  while (ids.current.length < list.length) ids.current.push(newId());
  if (ids.current.length > list.length) ids.current.length = list.length;
  const become = (nextIds: string[], next: Item[]) => {
    ids.current = nextIds;
    onChange(next);
  };
  return {
    items: list.map((item, at) => ({ id: ids.current[at]!, item })),
    change: (at: number, item: Item) => become(ids.current, list.with(at, item)),
    add: (...items: Item[]) => become([...ids.current, ...items.map(newId)], [...list, ...items]),
    insert: (at: number, item: Item) => become(ids.current.toSpliced(at, 0, newId()), list.toSpliced(at, 0, item)),
    remove: (at: number) => become(ids.current.toSpliced(at, 1), list.toSpliced(at, 1)),
    move: (from: number, to: number) => become(moved(ids.current, from, to), moved(list, from, to)),
    replace: (at: number, items: readonly Item[]) =>
      become(ids.current.toSpliced(at, 1, ...items.map(newId)), list.toSpliced(at, 1, ...items)),
  };
}
