import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, expect, test } from "vitest";
import { openMailer } from "./client.ts";
import { invitationMail, resetMail } from "../../model/identity/mails.ts";

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

/** A mail server that accepts every mail, or answers every command with `refusal`; it records what it receives. */
async function mailServer(refusal?: string) {
  const lines: string[] = [];
  const server = createServer((socket) => {
    let isMail = false;
    socket.write("220 mail.test\r\n");
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      for (const line of chunk.toString().split("\r\n").slice(0, -1)) {
        lines.push(line);
        if (isMail && line !== ".") continue;
        isMail = line === "DATA";
        socket.write(isMail ? "354 go on\r\n" : `${line.startsWith("MAIL") && refusal ? refusal : "250 ok"}\r\n`);
      }
    });
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, lines };
}

const mail = invitationMail("ann@example.com", {
  role: "Editor",
  liveRole: "Viewer",
  invitedBy: "owner@example.com",
  name: "Acme\r\nBcc: everybody@example.com",
  link: "https://points.test/invitation/abc",
});

test("a mail goes out as plain text with its link, from the sender that the address names", async () => {
  const { url, lines } = await mailServer();
  const failures: unknown[] = [];
  expect(await openMailer(`${url}?from=points@example.com`, "https://points.test", (error) => failures.push(error)).send(mail)).toBe(true);
  expect(lines).toContain("MAIL FROM:<points@example.com>");
  expect(lines).toContain("RCPT TO:<ann@example.com>");
  expect(lines.join("\n")).toContain("https://points.test/invitation/abc");
  expect(mail.text).toContain(" as an Editor, and as a Viewer in Live.");
  expect(
    lines.filter((line) => /^(RCPT|Bcc)/i.test(line)),
    "a name adds no recipient",
  ).toEqual(["RCPT TO:<ann@example.com>"]);
  expect(failures).toEqual([]);
});

test("without a configured sender, an address of the service's own host is used", async () => {
  const { url, lines } = await mailServer();
  await openMailer(url, "https://points.test/x", () => {}).send(resetMail("ann@example.com", "https://points.test/password-reset/abc"));
  expect(lines).toContain("MAIL FROM:<engagement@points.test>");
});

test("a rejected mail is reported, and throws nothing", async () => {
  const failures: unknown[] = [];
  const { url } = await mailServer("550 no");
  expect(await openMailer(url, "https://points.test", (error) => failures.push(error)).send(mail)).toBe(false);
  expect(await openMailer("smtp://127.0.0.1:1", "https://points.test", (error) => failures.push(error)).send(mail)).toBe(false);
  expect(failures).toHaveLength(2);
});
