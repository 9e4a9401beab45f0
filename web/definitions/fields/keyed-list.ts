"use client";

import { useRef } from "react";
import { moved } from "../rules/tree.ts";

interface Keyed<Item> {
  items: { id: string; item: Item }[];
  change(at: number, item: Item): void;
  add(...items: Item[]): void;
  insert(at: number, item: Item): void;
  remove(at: number): void;
  move(from: number, to: number): void;
  replace(at: number, items: readonly Item[]): void;
}

let made = 0;
const newId = (): string => `entry-${++made}`;

/**
 * List entries with stable keys while they are edited, moved and removed, so that input and focus stay with them: the entries themselves
 * are plain data.
 */
export function useKeyedList<Item>(list: readonly Item[], onChange: (list: Item[]) => void): Keyed<Item> {
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
    change: (at, item) => become(ids.current, list.with(at, item)),
    add: (...items) => become([...ids.current, ...items.map(newId)], [...list, ...items]),
    insert: (at, item) => become(ids.current.toSpliced(at, 0, newId()), list.toSpliced(at, 0, item)),
    remove: (at) => become(ids.current.toSpliced(at, 1), list.toSpliced(at, 1)),
    move: (from, to) => become(moved(ids.current, from, to), moved(list, from, to)),
    replace: (at, items) => become(ids.current.toSpliced(at, 1, ...items.map(newId)), list.toSpliced(at, 1, ...items)),
  };
}
