import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { PagedList } from "./list-card.tsx";

const list = {
  ...{ data: { next: "of the list in view" }, error: null, refetch: () => {} },
  pages: { cursor: null, number: 1, toFirst: () => {}, toPrevious: null, to: () => {} },
};

const isBlocked = (isPlaceholderData: boolean): boolean => {
  const page = renderToString(
    createElement(PagedList<string>, {
      ...{ label: "Players", rows: ["ann"], empty: { title: "None" } },
      list: { ...list, isPlaceholderData },
      children: (rows) => rows.join(),
    }),
  );
  return /<button[^>]*aria-disabled="true"[^>]*>Next/.test(page);
};

it("opens no page by the cursor of another list, while that is shown until the wanted one is there", () => {
  expect([isBlocked(true), isBlocked(false)]).toEqual([true, false]);
});
