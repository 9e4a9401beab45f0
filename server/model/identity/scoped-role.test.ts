import { expect, test } from "vitest";
import { ROLES } from "../kernel/roles.ts";
import { grantProblem, mayGrant, maySetPassword, roleIn } from "./scoped-role.ts";

const everywhere = (role: (typeof ROLES)[number]) => ({ projectId: null, role });
const inAcme = (role: (typeof ROLES)[number]) => ({ projectId: "acme", role });

test("a role in the whole organization counts in each of its projects, and the highest counts", () => {
  expect(roleIn([everywhere("Viewer"), inAcme("Admin")], "acme")).toBe("Admin");
  expect(roleIn([everywhere("Viewer"), inAcme("Admin")], "other")).toBe("Viewer");
  expect(roleIn([everywhere("Viewer"), inAcme("Admin")], null)).toBe("Viewer");
  expect(roleIn([inAcme("Owner")], null)).toBeNull();
});

test("an Owner gives every role, an Admin all but Owner, others none", () => {
  const granted = ROLES.map((own) => ROLES.filter((role) => mayGrant(own, role)));
  expect(granted).toEqual([[...ROLES], ["Admin", "Editor", "Support", "Viewer"], [], [], []]);
  expect(mayGrant(null, "Viewer")).toBe(false);
});

test("who manages one project manages nothing of the whole organization", () => {
  expect(grantProblem([inAcme("Owner")], inAcme("Owner"))).toBeNull();
  expect(grantProblem([inAcme("Owner")], everywhere("Viewer"))).toMatch(/whole organization/);
  expect(grantProblem([everywhere("Admin")], inAcme("Owner"))).toMatch(/Only an Owner/);
});

test("a password is set only by who may give all that its owner has, anywhere", () => {
  const of = (organizationId: string, standing: ReturnType<typeof everywhere> | ReturnType<typeof inAcme>) => ({
    organizationId,
    ...standing,
  });
  expect(maySetPassword([everywhere("Admin")], "o1", [of("o1", everywhere("Admin")), of("o1", inAcme("Editor"))])).toBe(true);
  expect(maySetPassword([everywhere("Admin")], "o1", [of("o1", everywhere("Owner"))])).toBe(false);
  expect(maySetPassword([inAcme("Admin")], "o1", [of("o1", everywhere("Viewer"))])).toBe(false);
  expect(maySetPassword([everywhere("Owner")], "o1", [of("o1", inAcme("Viewer")), of("o2", inAcme("Viewer"))])).toBe(false);
});
