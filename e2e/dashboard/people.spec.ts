import { type Browser, expect, type Page } from "@playwright/test";
import { violationsOf } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { keepPicture } from "../pictures.ts";
import { openPage, OWNER, signIn, test as signedOut } from "../service.ts";
import { follow } from "../hydrated.ts";
import { choose, take } from "./forms.ts";
import { failNext, intercept, refuse } from "./intercept.ts";
import { callAnswer, memberOf, PASSWORD } from "./own-project.ts";
import { test } from "./sign-in.ts";

/** People: signing in and out, invitations, roles, and what ends a session. */
const MEMBERS = "/dashboard/demo/settings/members";
const COOKIE = "engagement.session";

const rowOf = (page: Page, email: string) => page.getByRole("listitem").filter({ hasText: email });

/** Invites a person on the Members page; returns the link. */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.goto(MEMBERS);
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("radio", { name: new RegExp(`^${role}`) }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  const shown = page.getByRole("dialog", { name: `${email} is invited` });
  const link = (await shown.locator("pre").innerText()).trim();
  // The link is shown only once, so Escape must not close the dialog.
  await page.keyboard.press("Escape");
  await shown.getByRole("button", { name: "Done" }).click();
  return link;
}

/** Invites a person as an Admin, without the page; returns the link. */
async function linkFor(page: Page, email: string): Promise<string> {
  const { status, text } = await call(page, "members/invite", { project: "demo", email, role: "Admin", scope: "project" });
  expect(status, text).toBe(200);
  return (JSON.parse(text) as { json: { link: string } }).json.link;
}

/** Opens an invitation in a separate browser and joins with a new account; returns the page. */
async function join(browser: Browser, link: string): Promise<Page> {
  const page = await openPage(browser, new URL(link).origin);
  await page.goto(link);
  await page.getByLabel("Choose a password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create the account and join" }).click();
  await page.waitForURL(/\/dashboard\/demo/);
  return page;
}

/** Calls a procedure with the page's session; returns the status and the body. */
async function call(page: Page, procedure: string, input: object) {
  const answer = await callAnswer(page, procedure, input);
  return { status: answer.status(), text: await answer.text() };
}

signedOut("the owner signs in and out", async ({ page, context, request, baseURL }) => {
  await context.addCookies([{ name: COOKIE, value: "planted", url: baseURL! }]);
  const cookie = async () => (await context.cookies()).find(({ name }) => name === COOKIE);
  const password = page.getByLabel("Password", { exact: true });
  const press = () => page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.goto(`${MEMBERS}?from=mail`);
  await expect(page).toHaveURL(/\/sign-in\?from=/);
  await test.step("a wrong password is refused in the same words as an unknown account, and typed text stays", async () => {
    const words: string[] = [];
    for (const email of [OWNER.email, "nobody@example.com"]) {
      if (words.length > 0) await page.reload();
      await page.getByLabel("Email address").fill(email);
      await password.fill("not the password");
      await press();
      const alert = page.getByRole("alert").filter({ hasText: "password" });
      await expect(alert).toBeVisible();
      words.push(await alert.innerText());
      await expect(page.getByLabel("Email address")).toHaveValue(email);
      await expect(password).toBeFocused();
    }
    expect(words[0]).toBe(words[1]);
  });
  await page.getByLabel("Email address").fill(OWNER.email);
  await test.step("a form that the service refuses before its page runs shows the reason", async () => {
    await password.fill("x".repeat(16_384));
    await press();
    await expect(page.getByRole("alert").filter({ hasText: "A form has at most 16 KiB." })).toBeVisible();
  });
  await password.fill(OWNER.password);
  await test.step("a sign-in that does not reach the service says so, and typed text stays", async () => {
    await intercept(page, page.url(), (request) => request.abort(), 1);
    await press();
    await expect(page.getByRole("alert").filter({ hasText: "The service cannot be reached" })).toBeVisible();
    await expect(password).toHaveValue(OWNER.password);
  });
  const [sent] = await Promise.all([page.waitForRequest((request) => request.method() === "POST"), press()]);
  await test.step("a signed-out visitor signs in first and then gets the requested page", async () => {
    await page.waitForURL(new RegExp(`${MEMBERS}\\?from=mail$`));
    await expect(rowOf(page, OWNER.email)).toContainText("You");
  });
  const first = (await cookie())!;
  await test.step("requests from other sites are refused", async () => {
    const all = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const foreign = { cookie: all, origin: "https://evil.example" };
    const rpc = await request.post("/rpc/account/endOtherSessions", { headers: foreign, data: { json: {} } });
    expect([rpc.status(), await rpc.text()]).toEqual([403, expect.stringContaining("CSRF")]);
    const credentials = { email: OWNER.email, password: OWNER.password };
    const form = await request.post("/api/auth/callback/credentials", { headers: foreign, form: credentials, maxRedirects: 0 });
    expect(form.headers()["set-cookie"] ?? "").not.toContain(COOKIE);
    const signOut = await request.post("/api/auth/signout", { headers: foreign, form: {}, maxRedirects: 0 });
    // The endpoint accepts no POST: signing out is a server action.
    expect(signOut.status()).toBe(405);
    // The sign-in page's own request, replayed unchanged from another origin.
    const headers = { ...sent.headers(), ...foreign };
    const action = await request.post(`${baseURL}/sign-in`, { headers, data: sent.postDataBuffer()!, maxRedirects: 0 });
    expect(action.headers()["set-cookie"] ?? "").not.toContain(COOKIE);
    expect(action.status()).toBe(403);
  });
  await test.step("each sign-in makes a new session, even over a planted one, and signing out ends it", async () => {
    expect([first.value === "planted", first.httpOnly, first.sameSite]).toEqual([false, true, "Lax"]);
    await follow(page, "/dashboard/account");
    // The session has survived the requests from other sites.
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await expect(page).toHaveURL(/\/sign-in$/);
    expect(await cookie()).toBeUndefined();
    await context.addCookies([first]);
    await page.goto("/dashboard/demo/sandbox");
    await expect(page).toHaveURL(/\/sign-in/);
  });
});

test("signing in redirects only to pages of the service", async ({ page }) => {
  // Hostile addresses of other forms: web/auth/paths.test.ts.
  for (const [from, to] of [
    ["//evil.example/", "/dashboard"],
    [MEMBERS, MEMBERS],
  ] as const) {
    const answer = await page.request.get(`/sign-in?from=${encodeURIComponent(from)}`, { maxRedirects: 0 });
    expect([answer.status(), answer.headers()["location"]], from).toEqual([307, to]);
  }
});

test("a person is invited, joins, has the rights of their role, and loses them immediately on removal", async ({ page, browser }) => {
  test.slow();
  const email = "ann@example.com";
  const link = await invite(page, email, "Editor");
  await expect(page.getByRole("list", { name: "Invitations" })).toContainText(email);
  await test.step("the last Owner stays", async () => {
    await expect(rowOf(page, OWNER.email).getByText("Owner", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: `More about ${OWNER.email}` })).toHaveCount(0);
  });
  const ann = await join(browser, link);
  const again = await ann.request.get(link);
  expect(await again.text()).toContain("This invitation is no longer valid");

  await ann.goto(MEMBERS);
  await expect(rowOf(ann, email)).toContainText("You");
  await expect(ann.getByRole("button", { name: "Invite" })).toHaveCount(0);
  const wanted = { project: "demo", email: "friend@example.com", role: "Owner", scope: "organization" };
  expect(await call(ann, "members/invite", wanted)).toMatchObject({ status: 403, text: expect.stringContaining("Admin") });
  expect((await call(ann, "keys/create", { project: "demo", environment: "live", name: "x" })).status).toBe(403);
  expect((await call(ann, "members/list", { project: "demo" })).status).toBe(200);

  await page.reload();
  const approves = rowOf(page, email).getByText("Approves", { exact: true });
  const viewerInLive = async () => {
    await choose(page.getByRole("combobox", { name: `Role of ${email} in Live` }), "Viewer in Live");
    await expect(page.getByText(`${email} is now Editor, and Viewer in Live`).first()).toBeVisible();
    await expect(approves).toHaveCount(0);
  };
  await take(page, `More about ${email}`, "Let approve requests");
  await expect(approves).toBeVisible();
  await viewerInLive();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(approves).toBeVisible();
  // Another Admin raises them. This page was read before, and changes only the role that is chosen.
  const { members } = JSON.parse((await call(page, "members/list", { project: "demo" })).text).json;
  const { id } = members.find((member: { email: string }) => member.email === email);
  expect((await call(page, "members/changeRole", { project: "demo", id, role: "Admin" })).status).toBe(200);
  await choose(page.getByRole("combobox", { name: `Role of ${email} in Live` }), "Support in Live");
  await expect(page.getByText(`${email} is now Admin, and Support in Live`)).toBeVisible();
  await choose(page.getByRole("combobox", { name: `Role of ${email}`, exact: true }), "Editor");
  await viewerInLive();
  await keepPicture(page, "members.live.wide");
  await page.setViewportSize({ width: 390, height: 800 });
  await expectToFit(page, 390);
  await keepPicture(page, "members.live.narrow");
  await page.setViewportSize({ width: 1280, height: 900 });
  await choose(page.getByRole("combobox", { name: `Role of ${email}`, exact: true }), "Viewer");
  await expect(page.getByText(`${email} is now Viewer`)).toBeVisible();
  await ann.reload();
  await expect(rowOf(ann, email)).toContainText("Viewer");

  await take(page, `More about ${email}`, "Remove");
  const remove = page.getByRole("button", { name: "Remove", exact: true });
  await failNext(page, "members/remove");
  await refuse(page, "members/list", 1);
  await remove.click();
  await expect(page.getByRole("alert").getByText(`${email} was not removed`)).toBeAttached();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("The members could not be loaded")).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("The members could not be loaded")).toHaveCount(0);
  await take(page, `More about ${email}`, "Remove");
  await remove.click();
  await expect(page.getByText(`${email} is removed`)).toBeVisible();
  expect((await call(ann, "members/list", { project: "demo" })).status).toBe(401);
  await ann.goto("/dashboard/demo/sandbox");
  await expect(ann).toHaveURL(/\/sign-in/);
});

test("a forgotten password is reset by an Admin's link, which ends all sessions of the user", async ({ page, browser, service }) => {
  test.slow();
  const email = "bob@example.com";
  const bob = await memberOf(browser, page, "demo", "Viewer", email);
  await page.goto(MEMBERS);
  await take(page, `More about ${email}`, "Password reset link");
  const shown = page.getByRole("dialog", { name: `A new password for ${email}` });
  const link = (await shown.locator("pre").innerText()).trim();
  const other = await openPage(browser, service.url);
  await other.goto(link);
  await other.getByLabel("Choose a password").fill("short");
  await other.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(other.getByText("Use at least 10 characters")).toBeVisible();
  await expect(other.getByLabel("Choose a password")).toBeFocused();
  await other.getByLabel("Choose a password").fill("some other words in a row");
  await other.getByRole("button", { name: "Set password and sign in" }).click();
  await other.waitForURL(/\/dashboard\/demo/);
  await bob.goto("/dashboard/account");
  await expect(bob).toHaveURL(/\/sign-in/);
  await signIn(bob, { email, password: "some other words in a row" });

  await follow(bob, "/dashboard/account");
  await expect(bob.getByRole("list", { name: "Sessions" }).getByRole("listitem")).toHaveCount(2);
  await bob.getByLabel("Current password").fill("wrong");
  await bob.getByLabel("New password").fill(PASSWORD);
  await bob.getByRole("button", { name: "Change password" }).click();
  await expect(bob.getByText("That is not your password.")).toBeVisible();
  await bob.getByLabel("Current password").fill("some other words in a row");
  await bob.getByRole("button", { name: "Change password" }).click();
  await expect(bob.getByText("Password changed")).toBeVisible();
  await expect(bob.getByRole("list", { name: "Sessions" }).getByRole("listitem")).toHaveCount(1);
  await other.goto("/dashboard/account");
  await expect(other).toHaveURL(/\/sign-in/);
});

test("an Admin's reset link is invalid once its user is an Owner, and their invitation once they are no Admin themselves", async ({
  page,
  browser,
  service,
}) => {
  test.slow();
  const admin = await memberOf(browser, page, "demo", "Admin", "admin@example.com");
  const editor = await memberOf(browser, page, "demo", "Editor", "editor@example.com");
  const { members } = JSON.parse((await call(admin, "members/list", { project: "demo" })).text).json;
  const idOf = (email: string) => members.find((member: { email: string }) => member.email === email).id;
  const made = await call(admin, "members/resetPassword", { project: "demo", id: idOf("editor@example.com") });
  const reset = JSON.parse(made.text).json.link;
  const invitation = await linkFor(admin, "accomplice@example.com");
  const stranger = await openPage(browser, service.url);
  await stranger.goto(reset);
  await stranger.getByLabel("Choose a password").fill("a few words of the Admin's");

  const become = async (email: string, role: string) =>
    expect((await call(page, "members/changeRole", { project: "demo", id: idOf(email), role, liveRole: null })).status).toBe(200);
  await become("editor@example.com", "Owner");
  await stranger.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(stranger.getByText("This link has expired or been used")).toBeVisible();
  await stranger.goto(reset);
  await expect(stranger.getByText("This link is no longer valid")).toBeVisible();
  await become("admin@example.com", "Viewer");
  await stranger.goto(invitation);
  await expect(stranger.getByText("This invitation is no longer valid")).toBeVisible();
  expect((await call(editor, "members/list", { project: "demo" })).status, "the session continues").toBe(200);
  for (const { email, id } of members)
    if (email !== OWNER.email && /^(admin|editor)@/.test(email)) await call(page, "members/remove", { project: "demo", id });
});

test("failed sign-ins elsewhere do not lock out a browser that has signed in before", async ({ page, browser, service }) => {
  test.slow();
  const email = "carol@example.com";
  const carol = await memberOf(browser, page, "demo", "Viewer", email);
  const devices = (await carol.context().cookies()).find(({ name }) => name === "engagement.devices")!;
  expect([devices.httpOnly, devices.sameSite, devices.value.includes("carol")]).toEqual([true, "Lax", false]);
  await carol.goto("/dashboard/account");
  await carol.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(carol).toHaveURL(/\/sign-in$/);

  const stranger = await openPage(browser, service.url);
  await stranger.goto("/sign-in");
  await stranger.getByLabel("Email address").fill(email);
  const attempt = async (password: string, words: RegExp) => {
    await stranger.getByLabel("Password", { exact: true }).fill(password);
    await stranger.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(stranger.getByRole("button", { name: "Sign in", exact: true })).toBeEnabled();
    await expect(stranger.getByRole("alert").filter({ hasText: words })).toBeVisible();
  };
  for (let at = 0; at < 5; at++) await attempt(`wrong ${at}`, /Wrong email or password/);
  await attempt(PASSWORD, /Too many attempts/);
  await signIn(carol, { email, password: PASSWORD });
});

test("an Owner creates a project, and a member of another one does not find it", async ({ page, browser }) => {
  test.slow();
  await page.goto("/dashboard/new-project");
  await page.getByLabel("Name").fill("Corner Bakery");
  await expect(page.getByLabel("Slug")).toHaveValue("corner-bakery");
  await page.getByLabel("Time zone").press("Enter");
  await expect(page.getByRole("option").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Create project" }).click();
  await page.waitForURL(/\/dashboard\/corner-bakery\/sandbox/);
  const eve = await memberOf(browser, page, "demo", "Viewer");
  expect((await call(eve, "members/list", { project: "corner-bakery" })).status).toBe(404);
  expect((await eve.goto("/dashboard/corner-bakery/sandbox"))!.status()).toBe(404);
  await expect(eve.getByText("Corner Bakery")).toHaveCount(0);
  await eve.goto("/dashboard/new-project");
  await expect(eve.getByText(/Only Owners and Admins/)).toBeVisible();
});

test("the signed-out pages are accessible, in both themes and at every width", async ({ page, browser, service }) => {
  test.slow();
  const invitation = await linkFor(page, "someone.with.a.rather.long.address@subdomain.example.com");
  const stranger = await openPage(browser, service.url);
  const complaints: string[] = [];
  stranger.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  stranger.on("pageerror", (error) => complaints.push(error.message));
  const paths = {
    "sign-in": "/sign-in?problem=not-a-member",
    forgotten: "/sign-in/forgotten",
    invitation,
    "no-invitation": "/invitation/gone",
    "password-reset": "/password-reset/gone",
  };
  for (const [name, path] of Object.entries(paths)) {
    await stranger.goto(path);
    for (const [width, viewport] of [
      ["wide", { width: 1360, height: 900 }],
      ["narrow", { width: 360, height: 740 }],
    ] as const) {
      await stranger.setViewportSize(viewport);
      await expectToFit(stranger, viewport.width, path);
      await keepPicture(stranger, `${name}.${width}`);
    }
    expect(await violationsOf(stranger), path).toEqual([]);
  }
  expect(complaints).toEqual([]);
});
