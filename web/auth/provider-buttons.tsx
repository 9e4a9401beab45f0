import type { SignInSettings } from "../../server/api/sign-in.ts";
import { dashboard } from "../client/dashboard.ts";
import { Button } from "../components/button.tsx";
import { signInByProvider } from "./actions.ts";
import { ProviderMark } from "./provider-marks.tsx";

const nameOf = (provider: SignInSettings["providers"][number]): string =>
  provider.id === "oidc" ? provider.name : { google: "Google", github: "GitHub" }[provider.id];

/** Sign-in buttons for the configured providers. */
export function ProviderButtons({ from }: { from: string }) {
  const { providers } = dashboard().signInService.settings;
  if (providers.length === 0) return null;
  return (
    <>
      <div className="flex flex-col gap-2">
        {providers.map((provider) => (
          <form key={provider.id} action={signInByProvider}>
            <input type="hidden" name="provider" value={provider.id} />
            <input type="hidden" name="from" value={from} />
            <Button type="submit" className="h-9 w-full" icon={<ProviderMark provider={provider.id} />}>
              Continue with {nameOf(provider)}
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
