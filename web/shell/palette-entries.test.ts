import { describe, expect, it } from "vitest";
import { KINDS } from "#server/model/definitions/contract.ts";
import type { Role } from "#server/model/kernel/environment.ts";
import { paletteGroups, SHOWN } from "./palette-entries.ts";
import { rankedGroups } from "./palette-search.ts";

type Catalogue = NonNullable<Parameters<typeof paletteGroups>[0]["catalogue"]>;

const named = (key: string, name: string) => ({ key, name, active: true });
const CATALOGUE = { missions: [named("coffee_lover", "Coffee lover")], segments: [named("lovers", "Lovers")] } as unknown as Catalogue;

const groupsOf = (query: string, changes: Partial<Parameters<typeof paletteGroups>[0]> = {}) => {
  const known = {
    project: "acme",
    environment: "live",
    approvals: { isOn: true, mayApprove: true, waiting: 0, undecided: 0 },
    canCreate: true,
    role: "Owner" as const,
    query,
    catalogue: CATALOGUE,
    players: [],
    isFound: true,
    commands: [],
    ...changes,
  };
  return new Map(paletteGroups(known).map(({ heading, items }) => [heading, items]));
};

describe("the palette leads to", () => {
  it("every page of the environment and of the project", () => {
    const groups = groupsOf("");
    expect(groups.get("Engage")?.map(({ href }) => href)).toContain("/dashboard/acme/live/missions");
    expect(groups.get("Project")?.map(({ href }) => href)).toContain("/dashboard/acme/audit-log");
  });

  it("change requests, only where there are any", () => {
    const pages = (isOn: boolean, waiting: number) =>
      groupsOf("", { approvals: { isOn, mayApprove: true, waiting, undecided: waiting } })
        .get("Environment")
        ?.map(({ label }) => label);
    expect(pages(true, 0)).toContain("Change requests");
    expect(pages(false, 1)).toContain("Change requests");
    expect(pages(false, 0)).not.toContain("Change requests");
  });

  it("no page of the project that the role may not read", () => {
    const pages = (role: Role) =>
      groupsOf("", { role })
        .get("Project")
        ?.map(({ label }) => label);
    expect(pages("Owner")).toEqual(["Members", "Channels", "Tokens", "Status", "Audit log"]);
    expect(pages("Admin")).toEqual(["Members", "Channels", "Tokens", "Audit log"]);
    expect(pages("Editor")).toEqual(["Members", "Tokens", "Audit log"]);
  });

  it("a new definition of each kind, for users who may create one", () => {
    expect(groupsOf("").get("Create")).toHaveLength(KINDS.length);
    expect(groupsOf("", { canCreate: false }).get("Create")).toEqual([]);
  });

  it("definitions by name, key and kind, once something is typed", () => {
    const found = (query: string) =>
      groupsOf(query)
        .get("Definitions")
        ?.map(({ href }) => href);
    expect(found("")).toEqual([]);
    expect(found("lov")).toEqual(["/dashboard/acme/live/segments/lovers", "/dashboard/acme/live/missions/coffee_lover"]);
    expect(found("mission")).toEqual(["/dashboard/acme/live/missions/coffee_lover"]);
    expect(found("cl")).toEqual([]);
  });

  it("each report, once something is typed", () => {
    const reports = (query: string) => groupsOf(query).get("Analytics") ?? [];
    expect(reports("")).toEqual([]);
    expect(reports("p")).toContainEqual(
      expect.objectContaining({ label: "Analytics: Points", href: "/dashboard/acme/live/analytics/points" }),
    );
  });

  it("the verbs of a definition, by any of their words", () => {
    const actions = (query: string, changes = {}) =>
      (groupsOf(query, changes).get("Actions") ?? []).map(({ label, href }) => [label, href]);
    expect(actions("edit coffee")).toEqual([["Edit Coffee lover", "/dashboard/acme/live/missions/coffee_lover/edit"]]);
    expect(actions("clone coffee")).toEqual([["Duplicate Coffee lover", "/dashboard/acme/live/missions/new?from=coffee_lover"]]);
    expect(actions("publish coffee")).toEqual([]);
    const promote = "/dashboard/acme/sandbox/promote?chosen=missions:coffee_lover";
    expect(actions("publish coffee", { environment: "sandbox" })).toEqual([["Promote Coffee lover", promote]]);
    expect(actions("publish coffee", { environment: "sandbox", role: "Support" })).toEqual([]);
    expect(actions("edit coffee", { canCreate: false })).toEqual([]);
    expect(actions("edit")).toEqual([]);
  });

  it("the best of many", () => {
    const missions = Array.from({ length: 40 }, (_, at) => named(`mission_${at}`, `Mission ${at}`));
    expect(groupsOf("mission", { catalogue: { missions } as unknown as Catalogue }).get("Definitions")).toHaveLength(SHOWN);
  });

  it("whichever players the service finds", () => {
    const players = [{ externalId: "u/1", displayName: "Sofia", createdAt: "2026-01-01T00:00:00.000Z" }];
    expect(groupsOf("x", { players }).get("Players")).toMatchObject([
      { label: "Sofia", aside: "u/1", href: "/dashboard/acme/live/players/u%2F1", isFound: true },
    ]);
  });
});

it("players found by the query before are offered only if their names fit this one", () => {
  const players = [{ externalId: "ann", displayName: "Ann", createdAt: "2026-01-01T00:00:00.000Z" }];
  const offered = (query: string, isFound: boolean) => {
    const groups = [...groupsOf(query, { players, isFound })].map(([heading, items]) => ({ heading, items }));
    return rankedGroups(groups, query)
      .find(({ heading }) => heading === "Players")
      ?.items.map(({ label }) => label);
  };
  expect(offered("bob-4711", false)).toBeUndefined();
  expect(offered("an", false)).toEqual(["Ann"]);
  expect(offered("by another word", true)).toEqual(["Ann"]);
});
