interface GitHubAddress {
  email: string;
  primary: boolean;
  verified: boolean;
}

const PATIENCE_MS = 8_000;

/** The main address of whom a token of GitHub's is about, if they have proved it is theirs; the profile says nothing about that. */
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
