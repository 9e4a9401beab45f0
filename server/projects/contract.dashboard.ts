import { z } from "zod";
import { forPerson } from "../api/contract.dashboard.ts";
import { ROLES } from "../kernel/roles.ts";

export const projectsDashboard = {
  /** Who is signed in, and the projects they take part in, in order of creation. */
  me: forPerson.output(
    z.object({
      email: z.string(),
      projects: z.array(z.object({ slug: z.string(), name: z.string(), role: z.enum(ROLES) })),
    }),
  ),
};
