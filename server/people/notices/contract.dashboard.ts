import { z } from "zod";
import { forEnvironment, forPerson, forProject, inEnvironment, inProject, instantText, role } from "../../model/contract/rpc.ts";
import { NOTICE_KINDS } from "../../model/notices/kinds.ts";

const kind = z.enum(NOTICE_KINDS);

const notice = z.object({
  id: z.string(),
  kind,
  createdAt: instantText,
  /** Of an endpoint. */
  endpointId: z.string().nullable(),
  url: z.string().nullable(),
  /** Since when it has failed, or the first fact has been in quarantine. */
  since: instantText,
  /** Of facts in quarantine: how many had come. */
  count: z.int().nullable(),
  /** Whether it still is so, and nothing worse is told of the same. */
  isOpen: z.boolean(),
});

/** What people should know of. */
export const noticesDashboard = {
  /** The last ones of an environment, the newest first; with `isOpen` alone those that still need somebody. */
  list: forEnvironment("Viewer")
    .input(inEnvironment.extend({ isOpen: z.boolean().default(false) }))
    .output(z.object({ notices: z.array(notice) })),
  /** What the caller is mailed about, by project. `canMail` is false where no mail server is set. */
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
