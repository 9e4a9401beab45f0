import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";
import { expectReadable } from "../accessible.ts";
import { expectToFit } from "../fits.ts";
import { keepPicture } from "../pictures.ts";
import { ownProject } from "./own-project.ts";
import { test } from "./sign-in.ts";

const PROGRAM = fileURLToPath(new URL("../../bin/engagement.mjs", import.meta.url));

test("engagement login: the page shows the terminal's code, and its approval logs the terminal in", async ({ page, service }) => {
  const { slug } = await ownProject(page);
  const folder = mkdtempSync(join(tmpdir(), "engagement-"));
  const engagement = (...args: string[]) => {
    const env = { PATH: process.env["PATH"], XDG_CONFIG_HOME: folder } as unknown as NodeJS.ProcessEnv;
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env });
    const printed = { out: "", words: "" };
    child.stdout.on("data", (chunk: Buffer) => (printed.out += String(chunk)));
    child.stderr.on("data", (chunk: Buffer) => (printed.words += String(chunk)));
    return { printed, ended: once(child, "exit").then(([code]) => code as number), kill: () => child.kill() };
  };
  const login = engagement("login", "--url", service.url, "--name", "Ann's laptop");
  try {
    await expect.poll(() => login.printed.words).toContain("Waiting for the approval");
    await page.goto(/ {2}(http\S+)/.exec(login.printed.words)![1]!);
    await expect(page.getByRole("heading", { name: "Log in on the command line" })).toBeVisible();
    await expect(page.getByLabel("Code")).toHaveText(/Code: (\S+)/.exec(login.printed.words)![1]!);
    await expectReadable(page, "command-line.wide");
    await page.setViewportSize({ width: 360, height: 800 });
    await expectToFit(page, 360);
    await keepPicture(page, "command-line.narrow.light", { fullPage: true });
    await expect(page.getByLabel("Name")).toHaveValue("Ann's laptop");
    await page.getByLabel("Name").fill("");
    await page.getByRole("button", { name: "Approve" }).click();
    await expect(page.getByText("The name of the token must have 1 to 200 characters.")).toBeVisible();
    await page.getByLabel("Name").fill("Laptop");
    await page.getByRole("button", { name: "Approve" }).click();
    await expect(page.getByText("The command line is logged in.")).toBeVisible();
    await keepPicture(page, "command-line-done.narrow.light");

    expect(await login.ended).toBe(0);
    expect(login.printed.words).toContain(`project ${slug}, sandbox, Editor`);
    const exported = engagement("definitions", "export");
    expect(await exported.ended).toBe(0);
    expect(JSON.parse(exported.printed.out)).toMatchObject({ version: 1 });

    // The schema by which editors complete a definitions file needs no sign-in.
    const schema = await page.request.get("/definitions.schema.json");
    expect(await schema.json()).toMatchObject({
      $schema: expect.stringContaining("json-schema.org"),
      $defs: { Definitions: { properties: { missions: {} } } },
    });
    await page.goto("/dashboard/command-line?request=nonsense");
    await expect(page.getByRole("heading", { name: "This link is incomplete" })).toBeVisible();
  } finally {
    login.kill();
    rmSync(folder, { recursive: true });
  }
});
