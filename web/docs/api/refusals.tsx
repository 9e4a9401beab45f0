import { describeError, type ErrorCode } from "#server/model/kernel/errors.ts";
import { codesOf, commonCodes, type Operation } from "./document.ts";

/** An endpoint's own codes, each linked to the error reference. */
export function Refusals({ operation }: { operation: Operation }) {
  const common = commonCodes();
  const refusals = codesOf(operation).flatMap(([status, codes]) =>
    codes.filter((code) => !common.has(code)).map((code) => ({ status, code: code as ErrorCode })),
  );
  return (
    <>
      <h3>Refusals</h3>
      {refusals.length > 0 && (
        <ul className="docs-refusals">
          {refusals.map(({ status, code }) => (
            <li key={code}>
              <span className="font-mono text-xs text-quiet">{status}</span>
              <span className="min-w-0">
                <a href={`/docs/errors#${code}`}>
                  <code>{code}</code>
                </a>{" "}
                <span className="text-quiet">{describeError(code).title}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-quiet">
        {refusals.length > 0 ? "And those " : "Only those "}
        <a href="/docs/api#refusals">of every endpoint</a>.
      </p>
    </>
  );
}
