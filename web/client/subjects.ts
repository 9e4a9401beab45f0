import { isKind, KIND_SCREENS } from "../definitions/kinds/index.ts";

/** An audit subject in the screens' words: "marketplaceItems" is a listing. */
export const subjectWords = (subjectKind: string): string => (isKind(subjectKind) ? KIND_SCREENS[subjectKind].one : words(subjectKind));

/** "webhookEndpoint" and "webhook_endpoint" read as words. */
const words = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()
    .replace(/^api\b/, "API");

const PAST: Record<string, string> = {
  create: "created",
  update: "changed",
  delete: "deleted",
  restore: "restored a version of",
  start_over: "started over",
  scheduled: "applied a scheduled change of",
  schedule: "scheduled a change of",
  cancel_schedule: "cancelled a scheduled change of",
  schedule_failed: "could not apply a scheduled change of",
  request: "requested",
  edit_request: "edited",
  approve: "approved",
  apply_alone: "went ahead alone with",
  reject: "rejected",
  withdraw: "withdrew",
  request_failed: "could not apply",
  apply: "applied",
  switch_on: "switched on",
  switch_off: "switched off",
  revoke: "revoked",
  rotate: "rotated the secret of",
  invite: "invited",
  join: "joined as",
  withdraw_invitation: "withdrew the invitation of",
  change_password: "changed the password of",
  reset_password: "created a password reset link for",
  drop_password: "signed in with a provider, which removed the password of",
  set_up_second_factor: "set up a second factor for",
  remove_second_factor: "removed the second factor of",
  reset_second_factor: "reset the second factor of",
  renew_recovery_codes: "renewed the recovery codes of",
  use_recovery_code: "used a recovery code of",
  require_second_factor: "changed who needs a second factor",
  remove: "removed",
  archive: "archived",
  reset: "reset",
  advance: "moved the clock forward",
  retry: "retried",
  resend: "resent",
  discard: "discarded",
  trigger: "sent a test of",
  reverse: "reversed",
  promote: "promoted",
  import: "imported",
  import_translations: "imported translations of",
  repair_language: "repaired a language code of",
  run: "ran",
  cancel: "cancelled",
  adjust_points: "adjusted the points of",
  award: "granted a mission to",
  note: "wrote a note about",
  hide_from_boards: "hid the ranks of",
  show_on_boards: "brought back the ranks of",
  settle: "settled a period of",
  award_objective: "granted an objective to",
  restore_streak: "restored a streak of",
  export: "exported",
  erase: "erased",
};

/** The verb in a sentence: "switched off". */
export const actionWords = (action: string): string => PAST[action] ?? words(action);

/** Actions whose words already name their subject. */
const WHOLE = new Set(["advance", "require_second_factor"]);

export const changeWords = (action: string, subjectKind: string): { action: string; subject: string } => ({
  action: actionWords(action),
  subject: WHOLE.has(action) ? "" : subjectWords(subjectKind),
});
