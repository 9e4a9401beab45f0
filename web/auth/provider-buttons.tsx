import type { SignInSettings } from "../../server/api/sign-in.ts";
import { dashboard } from "../client/dashboard.ts";
import { Button } from "../components/button.tsx";
import { ProviderForm } from "./forms.tsx";
import { KeyRound } from "lucide-react";

const nameOf = (provider: SignInSettings["providers"][number]): string =>
  provider.id === "oidc" ? provider.name : { google: "Google", github: "GitHub" }[provider.id];

export function ProviderButtons({ from }: { from: string }) {
  const { providers } = dashboard().signInService.settings;
  if (providers.length === 0) return null;
  return (
    <>
      <div className="flex flex-col gap-2">
        {providers.map((provider) => (
          <ProviderForm key={provider.id} provider={provider.id} from={from}>
            <Button type="submit" className="h-9 w-full" icon={<ProviderMark provider={provider.id} />}>
              Continue with {nameOf(provider)}
            </Button>
          </ProviderForm>
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

/** The providers' logos in the text colour; a key icon for unknown providers. */
function ProviderMark({ provider }: { provider: "google" | "github" | "oidc" }) {
  if (provider === "oidc") return <KeyRound className="size-4" />;
  return (
    <svg viewBox="0 0 24 24" fill="currentColor" aria-hidden className="size-4">
      <path d={provider === "google" ? GOOGLE : GITHUB} />
    </svg>
  );
}

const GOOGLE =
  "M12 10.2v3.9h5.5c-.24 1.42-1.66 4.15-5.5 4.15-3.3 0-6-2.74-6-6.12s2.7-6.12 6-6.12c1.88 0 3.14.8 3.86 1.49l2.63-2.53C16.8 3.4 14.6 2.4 12 2.4a9.73 9.73 0 1 0 0 19.46c5.62 0 9.34-3.95 9.34-9.51 0-.64-.07-1.13-.15-1.62L12 10.2Z";
const GITHUB =
  "M12 2a10 10 0 0 0-3.16 19.49c.5.09.68-.22.68-.48v-1.7c-2.78.6-3.37-1.34-3.37-1.34-.45-1.16-1.11-1.47-1.11-1.47-.9-.62.07-.6.07-.6 1 .07 1.53 1.03 1.53 1.03.9 1.52 2.34 1.08 2.91.83.09-.65.35-1.09.63-1.34-2.22-.25-4.55-1.11-4.55-4.94 0-1.1.39-1.99 1.03-2.69-.1-.25-.45-1.27.1-2.65 0 0 .84-.27 2.75 1.03a9.5 9.5 0 0 1 5 0c1.91-1.3 2.75-1.03 2.75-1.03.55 1.38.2 2.4.1 2.65.64.7 1.03 1.6 1.03 2.69 0 3.84-2.34 4.68-4.57 4.93.36.31.68.92.68 1.85V21c0 .27.18.58.69.48A10 10 0 0 0 12 2Z";
