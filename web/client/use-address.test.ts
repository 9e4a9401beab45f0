import { SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { addressOf, oneOf, textUpTo } from "./address.ts";
import { headFor } from "./leaving.ts";
import { useAddress } from "./use-address.ts";

const LIST = addressOf({ q: textUpTo(200), state: oneOf(["On", "Off"]) });

/** A screen at an address that the router has not followed yet: no effect runs. */
function screenAt(address: string) {
  const at = new URL(address, "http://localhost");
  vi.stubGlobal("location", at);
  vi.stubGlobal("history", { replaceState: (_: unknown, __: string, to: string) => (at.search = new URL(to, at).search) });
  let change!: ReturnType<typeof useAddress<ReturnType<typeof LIST.from>>>[1];
  const Screen = () => {
    [, change] = useAddress(LIST);
    return null;
  };
  const value = new URLSearchParams(at.search);
  renderToString(createElement(SearchParamsContext.Provider, { value }, createElement(Screen)));
  return { change, query: () => at.search };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it("a change of the address keeps those that the router has not followed yet", () => {
  const list = screenAt("/missions");
  list.change({ q: "coffee" });
  location.search = "";
  list.change({ state: "Off" });
  expect(list.query()).toBe("?q=coffee&state=Off");
});

it("what the router never showed is not in the address of the same page, opened later", () => {
  screenAt("/events").change({ q: "coffee" });
  headFor("/missions/tea");
  const list = screenAt("/events?q=tea");
  list.change({ state: "Off" });
  expect(list.query()).toBe("?q=tea&state=Off");
});
