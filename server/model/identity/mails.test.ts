import { expect, test } from "vitest";
import { emailProblem } from "./mails.ts";

test("an address is one that a mail reaches as it stands: none with the signs around addresses in a mail's header", () => {
  for (const address of ["ann@acme.com", "ann+tag@acme.co.uk", "o'neil@acme.com", "ünal@müller.example"])
    expect(emailProblem(address)).toBeNull();
  for (const text of [
    "ann",
    "<ann@acme.com>",
    "bob<ann@acme.com>",
    "bob,ann@acme.com",
    "ann@acme.com;",
    '"ann"@acme.com',
    "to:ann@acme.com",
  ])
    expect(emailProblem(text), text).toMatch(/is not an email address/);
});
