import type { Role } from "../kernel/roles.ts";

/** The most test projects that one project may have at a time: 50 workers of test runs, or a dozen killed runs of four. */
export const MOST_TEST_PROJECTS = 50;

/** Those that are in use or still being removed, of one project and of an organization: whoever makes them faster than they go waits. */
export const MOST_KEPT = { project: 150, organization: 300 };

/** The beginning of every test project's slug. */
export const TEST_PREFIX = "test-";

/** In a test project whoever may author definitions may do what an Admin does with its data: nothing but tests stands there. */
export const roleInTests = (role: Role): Role => (role === "Editor" ? "Admin" : role);
