import { instantOrNull } from "./inputs.ts";
import { z } from "zod";
import {
  CHANNEL_TYPES,
  createChannel,
  deleteChannel,
  editChannel,
  listChannels,
  switchChannel,
  testChannel,
} from "../../delivery/service/channels.ts";
import { inProject, problems, revision } from "../../model/contract/rpc.ts";
import { formatInstant } from "../../model/kernel/time.ts";
import { NOTICE_KINDS } from "../../model/notices/kinds.ts";
import { forProject } from "../access.ts";
import { withProblems } from "./webhooks.ts";

const one = inProject.extend({ id: z.uuid() });
const wanted = { name: z.string().max(1000), kinds: z.array(z.enum(NOTICE_KINDS)).max(NOTICE_KINDS.length) };
const admin = () => forProject("Admin", "cheap", { tokens: "ofBothEnvironments" });

/** Where a project's notices are posted. No response contains the secret part of a URL; the secret of a signed webhook is shown once. */
export const channelsDashboardProcedures = {
  list: admin()(inProject, async (_, { database, environment, cipher }) => {
    const rows = await listChannels(database, environment);
    return {
      channels: rows.map((row) => ({
        id: row.id,
        type: row.type,
        name: row.name,
        kinds: row.kinds,
        url: row.shownUrl,
        createdAt: formatInstant(row.createdAt),
        isOn: row.disabledAt === null,
        offReason: row.disabledReason,
        failingSince: instantOrNull(row.failingSince),
        revision: row.revision,
        isReadable: cipher.knows(row.url) && (row.secret === null || cipher.knows(row.secret)),
        last: row.lastAt === null ? null : { at: formatInstant(row.lastAt), isSent: row.lastIsSent === true, error: row.lastError },
      })),
    };
  }),
  create: admin()(
    inProject.extend({ type: z.enum(CHANNEL_TYPES), url: z.string(), ...wanted }),
    async ({ type, url, name, kinds }, { database, environment, actor, allowPrivateAddresses, cipher }) =>
      withProblems(() => createChannel(database, environment, { type, url, name, kinds }, { allowPrivateAddresses, cipher }, actor)),
    z.union([z.object({ id: z.string(), secret: z.string().nullable(), isResolved: z.boolean() }), z.object({ problems })]),
  ),
  edit: admin()(one.extend({ ...wanted, revision }), async (input, { database, environment, actor }) =>
    withProblems(async () => {
      await editChannel(database, environment, input, input, actor);
      return { problems: [] };
    }),
  ),
  /** Switching it off discards its waiting messages. */
  switch: admin()(one.extend({ isOn: z.boolean() }), ({ id, isOn }, { database, environment, actor }) =>
    switchChannel(database, environment, id, isOn, actor),
  ),
  delete: admin()(one, ({ id }, { database, environment, actor }) => deleteChannel(database, environment, id, actor)),
  /** Posts a test and returns the receiver's answer. */
  test: forProject("Admin", "costly", { tokens: "ofBothEnvironments" })(
    one,
    ({ id }, { database, environment, projectName, allowPrivateAddresses, cipher, baseUrl }) =>
      testChannel(database, { ...environment, projectName }, id, { allowPrivateAddresses, cipher, baseUrl }),
  ),
};
