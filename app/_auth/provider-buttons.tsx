import { Button } from "../_components/button.tsx";
import { signInByProvider } from "./actions.ts";
import { ProviderMark } from "./provider-marks.tsx";

const NAMES = { google: "Google", github: "GitHub" };

/** The other ways to sign in, where the service is set up for them. */
export function ProviderButtons({ providers, from }: { providers: readonly ("google" | "github")[]; from: string }) {
  if (providers.length === 0) return null;
  return (
    <>
      <div className="flex flex-col gap-2">
        {providers.map((provider) => (
          <form key={provider} action={signInByProvider}>
            <input type="hidden" name="provider" value={provider} />
            <input type="hidden" name="from" value={from} />
            <Button type="submit" className="h-9 w-full" icon={<ProviderMark provider={provider} />}>
              Continue with {NAMES[provider]}
            </Button>
          </form>
        ))}
      </div>
      <div className="my-4 flex items-center gap-3 text-xs text-faint" role="separator">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
    </>
  );
}
