import postgres from "postgres";
import { expect, test } from "vitest";
import { isUnavailable } from "./client.ts";

const failed = (code: string, message: string) => Object.assign(new (postgres.PostgresError as any)(message), { code, message });

test.each([
  ["08006", "connection to the remote node postgres@10.0.0.2:5432 failed", true],
  ["25006", "cannot execute INSERT in a read-only transaction", true],
  ["25P03", "terminating connection due to idle-in-transaction timeout", true],
  ["57P01", "terminating connection due to administrator command", true],
  ["XX000", "failure on connection marked as essential: 10.0.0.2:5432", true],
  ["XX000", "postmaster was shut down, exiting", true],
  ["XX000", "terminating connection due to unexpected postmaster exit", true],
  ["XX000", "server closed the connection unexpectedly", true],
  ["XX000", "cache lookup failed for relation 7", false],
  ["23505", "server closed the connection unexpectedly", false],
])("an error %s, “%s”: the database is unreachable: %s", (code, message, isOut) => {
  expect(isUnavailable(failed(code, message))).toBe(isOut);
});

test.each([
  ["CERT_HAS_EXPIRED", true],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", true],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", true],
  ["ERR_TLS_CERT_ALTNAME_INVALID", true],
  ["ERR_SSL_WRONG_VERSION_NUMBER", true],
  ["ERR_INVALID_ARG_TYPE", false],
])("an error %s of the connection: the database is unreachable: %s", (code, isOut) => {
  expect(isUnavailable(Object.assign(new Error("no connection"), { code }))).toBe(isOut);
});
