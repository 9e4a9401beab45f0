import type { Role } from "../kernel/roles.ts";

/** The most test projects that one project may have at a time: 50 workers of test runs, or a dozen killed runs of four. */
export const MAX_TEST_PROJECTS = 50;

/**
 * The most that are in use or still being removed, of one project and of an organization: creating them faster than they are removed has to
 * wait.
 */
export const MAX_KEPT = { project: 150, organization: 300 };

/** The beginning of every test project's slug. */
export const TEST_PREFIX = "test-";

/** In a test project, a user who may author definitions has an Admin's rights over its data: it only has test data. */
export const roleInTests = (role: Role): Role => (role === "Editor" ? "Admin" : role);
