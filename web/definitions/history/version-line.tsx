import { Instant } from "../../components/time.tsx";
import { changedWords, type Version } from "./version-words.ts";

/** A version as a sentence: who, what, when. */
export function VersionLine({ version }: { version: Version }) {
  const { by, token, at } = version;
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <span className="wrap-anywhere">
        <span className="font-medium">{by ?? "Somebody"}</span>
        {token !== null && <span className="text-quiet"> by the token {token}</span>}{" "}
        <span className="text-quiet">{changedWords(version)}</span>
      </span>
      <span className="text-xs text-quiet">
        Version {version.version} · <Instant value={at} />
      </span>
    </div>
  );
}
