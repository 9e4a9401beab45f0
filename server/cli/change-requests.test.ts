import { ORPCError } from "@orpc/client";
import { expect, test, vi } from "vitest";
import { ChangeRequested } from "../model/definitions/change-requests.ts";
import type { Cli } from "./context.ts";
import { orRequest } from "./change-requests.ts";
import type { Service } from "./service.ts";

vi.spyOn(console, "log").mockImplementation(() => {});
vi.spyOn(console, "error").mockImplementation(() => {});

/** Waits for a decision, with a service that gives these answers one after the other. */
async function waitThrough(...answers: unknown[]): Promise<unknown> {
  const get = () => {
    const next = answers.shift();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const service = { project: () => Promise.resolve("acme"), rpc: { changeRequests: { get } } } as unknown as Service;
  const cli = { output: { data: () => {} }, call: (work: (given: Service) => unknown) => work(service) } as unknown as Cli;
  return orRequest(cli, { project: "acme" }, { wait: true }, () =>
    Promise.reject(new ChangeRequested({ projectSlug: "acme", kind: "live" }, "request")),
  );
}

test("a wait for a decision outlasts a restart of the service, and ends where the service refuses", async () => {
  const restarting = [new TypeError("fetch failed"), new ORPCError("SERVICE_UNAVAILABLE", { status: 503 })];
  expect(await waitThrough(...restarting, { state: "Applied" })).toBeNull();
  await expect(waitThrough(new ORPCError("NOT_FOUND", { status: 404, message: "Not here" }))).rejects.toThrow("Not here");
});
