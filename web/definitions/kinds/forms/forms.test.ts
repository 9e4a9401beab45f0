import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { type ComponentProps, createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { KINDS } from "#server/model/definitions/contract.ts";
import { WhereProvider } from "#web/client/service.tsx";
import { KIND_SCREENS } from "../index.ts";
import { FormOfKind } from "./index.tsx";

const place: ComponentProps<typeof WhereProvider>["place"] = {
  ...{
    project: "acme",
    environment: "sandbox",
    projectName: "Acme",
    role: "Editor",
    approvals: { isOn: false, mayApprove: false, waiting: 0, undecided: 0 },
    roles: { sandbox: "Editor", live: "Editor" },
    timeZone: "UTC",
    defaultLanguage: "en",
  },
  ...{ now: "2026-01-01T00:00:00.000Z", isClockMoved: false, clockAheadMs: 0 },
};
const router = { push() {}, refresh() {}, replace() {}, back() {}, forward() {}, prefetch() {} } as never;

async function pageOf(begin: Parameters<typeof FormOfKind>[0], role: typeof place.role = "Editor"): Promise<string> {
  const form = await FormOfKind(begin);
  const inPlace = createElement(WhereProvider, { place: { ...place, role }, children: form });
  const inQueries = createElement(QueryClientProvider, { client: new QueryClient() }, inPlace);
  return renderToString(createElement(AppRouterContext.Provider, { value: router }, inQueries));
}

it.each(KINDS)("the form of %s shows a new one, and no problem before a field was visited", async (kind) => {
  const page = await pageOf({ kind, known: null });
  expect(page).toContain(`Create ${KIND_SCREENS[kind].one}`);
  expect(page).toContain("data-pointer=");
  expect(page).not.toContain('aria-invalid="true"');
});

it.each(KINDS)("the form of %s has no field that a Viewer could change, and nothing to save it", async (kind) => {
  const page = await pageOf({ kind, known: null }, "Viewer");
  expect(page).toContain("View only. You need the Editor role to make changes.");
  // The browser disables all that is inside.
  const outside = page.replace(/<fieldset disabled=""[^]*<\/fieldset>/, "");
  expect(outside).not.toBe(page);
  expect(outside).not.toMatch(/<(input|textarea|select)\b|data-pointer=|type="submit"/);
  expect(page).not.toContain(`Create ${KIND_SCREENS[kind].one}`);
});

it("the form of a segment shows a share of players", async () => {
  const page = await pageOf({
    kind: "segments",
    known: null,
    copied: '{ "key": "a", "name": "A", "rule": { "share": 12.5, "salt": "spring" } }',
  });
  expect(page).toContain("/rule/share");
  expect(page).toContain('value="12.5"');
  expect(page).toContain('value="spring"');
});
