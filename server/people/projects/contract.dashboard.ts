import { z } from "zod";
import { forPerson, forProject, inProject, instantText, problems } from "../../model/contract/rpc.ts";
import { ROLES } from "../../model/kernel/roles.ts";

export const projectsDashboard = {
  /** The caller and their projects, in order of creation; with a token, its project alone. */
  me: forPerson({ tokens: "any" }).output(
    z.object({
      email: z.string(),
      projects: z.array(z.object({ slug: z.string(), name: z.string(), role: z.enum(ROLES) })),
    }),
  ),

  /** The common data of a project's screens: the person's role, the project's settings, and the current time in both environments. */
  place: forProject("Viewer", { tokens: "any" })
    .input(inProject)
    .output(
      z.object({
        project: z.string(),
        projectName: z.string(),
        role: z.enum(ROLES),
        timeZone: z.string(),
        defaultLanguage: z.string(),
        now: z.object({ sandbox: instantText, live: instantText }),
        /** Whether the Sandbox's clock differs from real time. */
        isClockMoved: z.boolean(),
      }),
    ),

  /** The organizations in which the caller may create projects. */
  organizations: forPerson({ tokens: "none" }).output(z.array(z.object({ slug: z.string(), name: z.string() }))),
  /** With its Sandbox and Live, both empty. */
  create: forPerson({ tokens: "none" })
    .input(
      z.object({
        slug: z.string(),
        name: z.string(),
        defaultLanguage: z.string(),
        timeZone: z.string(),
        /** The slug of one of `organizations`. */
        organization: z.string(),
      }),
    )
    .output(z.object({ problems })),
  /** Its keys stop working and it disappears from every list; `confirmation` repeats its slug. */
  archive: forProject("Owner", { tokens: "ofBothEnvironments" })
    .input(inProject.extend({ confirmation: z.string() }))
    .output(z.void()),
};

const projectSettings = z.object({ name: z.string(), defaultLanguage: z.string(), timeZone: z.string() });

/** The settings that the two environments of a project share. */
export const projectSettingsDashboard = {
  read: forProject("Viewer", { tokens: "any" }).input(inProject).output(projectSettings),
  save: forProject("Admin", { tokens: "ofBothEnvironments" }).input(inProject.extend(projectSettings.shape)).output(z.object({ problems })),
};

/** A killed test run leaves its project behind, which is removed after so many hours by default. */
const DEFAULT_HOURS = 4;
const MAX_HOURS = 24;

/**
 * Projects for automated tests, made for a project by its members or by tokens for tests. Such a token may call everything else in them.
 * They appear in no list; people with access to the project that they were made for may open them by URL.
 */
export const testProjectsDashboard = {
  /** Omitted settings are those of `project`. Other calls name it by the slug. */
  create: forProject("Editor", { tokens: "tests" })
    .input(
      inProject.extend({
        name: z.string().max(200).optional(),
        defaultLanguage: z.string().max(100).optional(),
        timeZone: z.string().max(100).optional(),
        /** Hours until it is removed automatically. */
        hours: z.number().min(0.1).max(MAX_HOURS).default(DEFAULT_HOURS),
      }),
    )
    .output(z.union([z.object({ slug: z.string(), expiresAt: instantText }), z.object({ problems })])),
  /** It is unknown from the next call on; its data are deleted soon after. */
  remove: forProject("Editor", { tokens: "tests" })
    .input(inProject.extend({ slug: z.string().max(200) }))
    .output(z.void()),
};
