import { expect, test } from "vitest";
import { lowerInLive, type Role, ROLES, withLive } from "../kernel/environment.ts";
import { grantProblem, mayGrant, maySetPassword, rolesIn } from "./scoped-role.ts";

const everywhere = (role: Role, liveRole: Role | null = null) => ({ projectId: null, role, liveRole });
const inAcme = (role: Role, liveRole: Role | null = null) => ({ projectId: "acme", role, liveRole });

test("a role in the whole organization counts in each of its projects, and the highest role wins", () => {
  expect(rolesIn([everywhere("Viewer"), inAcme("Admin")], "acme")?.sandbox).toBe("Admin");
  expect(rolesIn([everywhere("Viewer"), inAcme("Admin")], "other")?.sandbox).toBe("Viewer");
  expect(rolesIn([everywhere("Viewer"), inAcme("Admin")], null)?.sandbox).toBe("Viewer");
  expect(rolesIn([inAcme("Owner")], null)).toBeNull();
});

test("the lower role applies in Live; of several memberships, the highest there", () => {
  expect(rolesIn([inAcme("Editor", "Viewer")], "acme")).toEqual({ sandbox: "Editor", live: "Viewer" });
  expect(rolesIn([everywhere("Support"), inAcme("Editor", "Viewer")], "acme")).toEqual({ sandbox: "Editor", live: "Support" });
  // An older version of the service, which knows no role in Live, has lowered the role.
  expect(rolesIn([inAcme("Viewer", "Support")], "acme")).toEqual({ sandbox: "Viewer", live: "Viewer" });
});

test("only a lower role is stored for Live, and none for an Owner", () => {
  expect(ROLES.map((role) => lowerInLive(role).length)).toEqual([0, 3, 2, 1, 0]);
  expect(withLive("Editor", "Viewer")).toEqual({ role: "Editor", liveRole: "Viewer" });
  expect(withLive("Support", "Editor")).toEqual({ role: "Support", liveRole: null });
  expect(withLive("Owner", "Viewer")).toEqual({ role: "Owner", liveRole: null });
});

test("an Admin with a lower role in Live cannot raise any account above it there, including their own", () => {
  const own = [everywhere("Admin", "Viewer")];
  expect(grantProblem(own, inAcme("Editor"))).toMatch(/Your role in Live is Viewer/);
  expect(grantProblem(own, everywhere("Admin"))).toMatch(/Your role in Live is Viewer/);
  expect(grantProblem(own, inAcme("Editor", "Viewer"))).toBeNull();
});

test("an Owner grants every role, an Admin all but Owner, others none", () => {
  const granted = ROLES.map((own) => ROLES.filter((role) => mayGrant(own, role)));
  expect(granted).toEqual([[...ROLES], ["Admin", "Editor", "Support", "Viewer"], [], [], []]);
  expect(mayGrant(null, "Viewer")).toBe(false);
});

test("managing one project gives no rights in the organization", () => {
  expect(grantProblem([inAcme("Owner")], inAcme("Owner"))).toBeNull();
  expect(grantProblem([inAcme("Owner")], everywhere("Viewer"))).toMatch(/whole organization/);
  expect(grantProblem([everywhere("Admin")], inAcme("Owner"))).toMatch(/Only an Owner/);
});

test("setting a password needs the right to grant all of its owner's roles", () => {
  const of = (organizationId: string, role: ReturnType<typeof everywhere> | ReturnType<typeof inAcme>, approves = false) => ({
    organizationId,
    ...role,
    approves,
  });
  expect(maySetPassword([everywhere("Admin")], "o1", [of("o1", everywhere("Admin")), of("o1", inAcme("Editor"))])).toBe(true);
  expect(maySetPassword([everywhere("Admin")], "o1", [of("o1", everywhere("Owner"))])).toBe(false);
  expect(maySetPassword([inAcme("Admin")], "o1", [of("o1", everywhere("Viewer"))])).toBe(false);
  expect(maySetPassword([everywhere("Owner")], "o1", [of("o1", inAcme("Viewer")), of("o2", inAcme("Viewer"))])).toBe(false);
  // One who approves in Live does what an Admin does there.
  const approver = [of("o1", inAcme("Editor"), true)];
  expect(maySetPassword([everywhere("Admin", "Editor")], "o1", [of("o1", inAcme("Editor"))])).toBe(true);
  expect(maySetPassword([everywhere("Admin", "Editor")], "o1", approver)).toBe(false);
  expect(maySetPassword([everywhere("Admin")], "o1", approver)).toBe(true);
});
