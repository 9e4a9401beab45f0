import type { Page } from "@playwright/test";

/**
 * A page whose navigations wait for hydration. The server's HTML is complete earlier: on a busy machine a test would click before React
 * handles clicks. Pages without React are not awaited.
 */
export function hydrated(page: Page): Page {
  const { goto, reload, goBack, goForward, waitForURL } = page;
  const thenHydrated =
    <Args extends unknown[], Answer>(go: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      const answer = await go.apply(page, args);
      await hydration(page);
      return answer;
    };
  return Object.assign(page, {
    goto: thenHydrated(goto),
    reload: thenHydrated(reload),
    goBack: thenHydrated(goBack),
    goForward: thenHydrated(goForward),
    waitForURL: thenHydrated(waitForURL),
  });
}

/** Opens a page as a link does, within the loaded one: a third of the CPU seconds of loading it. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => (globalThis as unknown as { next: { router: { push(to: string): void } } }).next.router.push(to), path);
  await page.waitForURL(({ pathname, search }) => `${pathname}${search}` === path);
}

interface Fiber {
  child: Fiber | null;
  sibling: Fiber | null;
  memoizedState: { isDehydrated?: boolean; dehydrated?: unknown } | null;
}

/**
 * Waits until React has hydrated the whole page. React's tree hangs from the document, and marks what is still the server's HTML:
 * everything, or the inside of a Suspense.
 */
const hydration = (page: Page) =>
  page.waitForFunction(() => {
    if (!("__next_f" in globalThis)) return true;
    const root = Object.entries(document).find(([name]) => name.startsWith("__reactContainer$"))?.[1] as
      | { stateNode: { current: Fiber } }
      | undefined;
    if (root === undefined) return false;
    const left = [root.stateNode.current];
    for (let fiber = left.pop(); fiber !== undefined; fiber = left.pop()) {
      if (fiber.memoizedState?.isDehydrated || fiber.memoizedState?.dehydrated) return false;
      left.push(...[fiber.child, fiber.sibling].filter((next) => next !== null));
    }
    return true;
  });
