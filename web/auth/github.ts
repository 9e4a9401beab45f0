interface GitHubAddress {
  email: string;
  primary: boolean;
  verified: boolean;
}

const PATIENCE_MS = 8_000;

/** The verified primary address of a GitHub user; the profile does not say whether it is verified. */
export async function verifiedGitHubAddress(token: string | undefined): Promise<string | null> {
  if (token === undefined) return null;
  const answer = await fetch("https://api.github.com/user/emails", {
    headers: { Authorization: `Bearer ${token}`, Accept: "application/vnd.github+json", "User-Agent": "engagement-service" },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!answer.ok) return null;
  const addresses = (await answer.json()) as GitHubAddress[];
  return addresses.find(({ primary, verified }) => primary && verified)?.email ?? null;
}
