import { z } from "zod";
import { forEnvironment, forPerson, forProject, inEnvironment, inProject, instantText, role } from "../../model/contract/rpc.ts";
import { NOTICE_KINDS } from "../../model/notices/kinds.ts";

const kind = z.enum(NOTICE_KINDS);

const notice = z.object({
  id: z.string(),
  kind,
  createdAt: instantText,
  /** The endpoint of a notice about one; otherwise null. */
  endpointId: z.string().nullable(),
  url: z.string().nullable(),
  /** When the endpoint began to fail, or the first fact came into quarantine. */
  since: instantText,
  /** Facts that had come into quarantine; null for endpoints. */
  count: z.int().nullable(),
  /** Whether the problem persists and no later notice covers it. */
  isOpen: z.boolean(),
});

/** Notices of problems, and who is mailed about them. */
export const noticesDashboard = {
  /** The latest notices of an environment, newest first; with `isOpen` only those that still need attention. */
  list: forEnvironment("Viewer")
    .input(inEnvironment.extend({ isOpen: z.boolean().default(false) }))
    .output(z.object({ notices: z.array(notice) })),
  /** The kinds that the caller is mailed about, by project. `canMail` is false if no mail server is configured. */
  choices: forPerson({ tokens: "none" }).output(
    z.object({
      canMail: z.boolean(),
      projects: z.array(z.object({ slug: z.string(), name: z.string(), role, mailed: z.array(kind) })),
    }),
  ),
  choose: forProject("Viewer", { tokens: "none" })
    .input(inProject.extend({ kind, isOn: z.boolean() }))
    .output(z.void()),
};
