import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { Note, DocsSection, Table } from "#web/docs/text.tsx";
import { Flow, WORDS } from "#web/docs/concepts.tsx";

export const metadata = { title: "Concepts" };

export default function Concepts() {
  return (
    <DocsPage href="/docs/concepts" lead={<p>How an event becomes a reward, and ten words that the rest of these pages use.</p>}>
      <DocsSection id="reward" title="How an event becomes a reward">
        <p>Steps with a blue edge are yours. Everything between them happens inside the service, usually within a second.</p>
        <Flow />
      </DocsSection>
      <DocsSection id="words" title="Ten words">
        <Table head={["Word", "Meaning"]} rows={WORDS.map(([word, meaning, href]) => [<a href={href}>{word}</a>, meaning])} />
      </DocsSection>
      <DocsSection id="entry" title="When an event counts">
        <p>
          An event counts for a mission that its player is <strong>in</strong>. A player enters when their missions are{" "}
          <a href="/docs/guides/missions#read">read</a>, and an opt-in mission when they <a href="/docs/guides/missions#accept">accept</a>{" "}
          it. An event that arrived earlier stays in the log, without any effect.
        </p>
        <p>
          Streaks and leaderboards need no entry: they count every event of a player. So do conditions over history, such as “ordered five
          times last month”, which decide who a mission is for.
        </p>
        <Note title="Read the missions first">
          <p>Forgetting this is the most common mistake. Read a player&apos;s missions when they sign up, and whenever you show them.</p>
        </Note>
      </DocsSection>
      <DocsSection id="time" title="Which time counts">
        <p>
          Streaks and leaderboards go by <code>occurredAt</code>, the instant at which an event happened: an order from Sunday evening that
          is sent on Monday belongs to last week. Whether a player was in a mission depends on the order in which things were received. Days
          begin at midnight in the player&apos;s time zone, or in the project&apos;s where the player has none.
        </p>
      </DocsSection>
      <DocsSection id="once" title="What happens once">
        <p>
          A repeated request with the same <code>idempotencyKey</code> is answered like the first one and changes nothing. A reward is
          granted once for each completion, also through crashes. A webhook can arrive twice, with the same <code>deliveryId</code>: your
          side has to <a href="/docs/guides/webhooks#once">count it once</a>.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
