/**
 * The environment variables of the person at the terminal: ENGAGEMENT_URL and ENGAGEMENT_TOKEN, and those that say where they keep settings
 * and whether they have a screen. They are read when a command runs. The service's own are in server/process/settings.ts.
 */
// oxlint-disable-next-line house/settings-alone
export const variables = (): NodeJS.ProcessEnv => process.env;
