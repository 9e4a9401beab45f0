import { expect, it } from "vitest";
import { HISTORY, pairOf } from "./history-view.ts";

it.each<[search: Record<string, string>, pair: [from: number, to: number]]>([
  [{}, [6, 7]],
  [{ to: "3" }, [2, 3]],
  [{ from: "1", to: "5" }, [1, 5]],
  [{ from: "5" }, [5, 7]],
  [{ from: "none", to: "-1" }, [6, 7]],
  [{ to: "1" }, [0, 1]],
])("the address %j compares %j", (search, [from, to]) => expect(pairOf(HISTORY.from(search), 7)).toEqual({ from, to }));
