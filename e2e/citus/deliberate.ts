/** Statements that go to several machines on purpose: a piece of the text, with single spaces, and why. */
export const DELIBERATE: readonly { has: string; why: string }[] = [];
