import { SCORE_MEASURES } from "#server/model/rules/measure.ts";
import type { MeasuredDraft } from "#server/model/rules/measured.ts";
import type { Choice } from "#server/model/rules/value.ts";
import { RadioCards } from "#web/components/choice.tsx";
import { Switch } from "#web/components/toggle.tsx";
import { type Catalogue, scopeOf } from "../../catalogue.ts";
import { DefinitionPicker } from "../../fields/pickers.tsx";
import { useAuthoring, useDraft, useMember } from "../../form/authoring.tsx";
import { FormField, Section } from "../../form/form-field.tsx";
import { Sentence } from "../../form/summary.tsx";
import { MeasureControls, SourceControl, WhereControls } from "../../rules/measured.tsx";
import { type LeaderboardDraft, rankingPhrase, SOURCE_WORDS } from "../leaderboard-words.ts";

/** The ranking score of players or teams. It is immutable: other scores need another board. */
export function ScoreSection() {
  const { store, catalogue, fixedAt } = useAuthoring();
  const board = useDraft(store) as unknown as LeaderboardDraft;
  const reason = fixedAt(["scoreSource"]);
  return (
    <Section title="Score">
      {reason === null ? (
        <>
          <SourceFields board={board} />
          <Teams board={board} catalogue={catalogue} />
        </>
      ) : (
        <p className="rounded-lg border border-line bg-sunken px-3 py-2 text-quiet">
          Ranks <Sentence phrase={rankingPhrase(board, scopeOf(catalogue))} />
        </p>
      )}
    </Section>
  );
}

const SOURCES = Object.entries(SOURCE_WORDS).map(([value, { label, hint, icon: Icon }]) => ({
  value: value as LeaderboardDraft["scoreSource"],
  label,
  hint,
  icon: <Icon />,
}));

function SourceFields({ board }: { board: LeaderboardDraft }) {
  const { store, catalogue } = useAuthoring();
  const { scoreSource } = board;
  const choose = (source: LeaderboardDraft["scoreSource"]) => {
    if (source === scoreSource) return;
    const measure = source === "Event" ? { kind: "Count" } : source === "Metric" ? { kind: "Sum", property: null } : null;
    store.write({ scoreSource: source, event: null, metric: null, attribute: null, where: null, measure });
  };
  const measured = {
    where: board.where,
    measure: board.measure ?? { kind: "Count" },
    ...(scoreSource === "Metric" ? { metric: board.metric } : { event: board.event }),
  } satisfies MeasuredDraft as MeasuredDraft;
  const become = ({ event = null, metric = null, where, measure }: MeasuredDraft) => store.write({ event, metric, where, measure });
  return (
    <>
      <RadioCards label="Score source" value={scoreSource} onValueChange={choose} options={SOURCES} />
      {(scoreSource === "Event" || scoreSource === "Metric") && (
        <>
          <p className="text-sm text-quiet">
            Ranks <Sentence phrase={rankingPhrase(board, scopeOf(catalogue))} />
          </p>
          <div className="flex min-w-0 flex-wrap items-start gap-2">
            <SourceControl key={scoreSource} at={[]} value={measured} onChange={become} />
            <MeasureControls at={[]} value={measured} onChange={become} measures={SCORE_MEASURES} />
            <WhereControls at={[]} value={measured} onChange={become} />
          </div>
        </>
      )}
      {scoreSource === "Attribute" && (
        <FormField at={["attribute"]} label="Attribute" required>
          <DefinitionPicker
            kind="attributes"
            value={board.attribute}
            onValueChange={(attribute) => store.write({ attribute })}
            accept={({ key }) => isOfType(catalogue, key, "Number")}
          />
        </FormField>
      )}
    </>
  );
}

const isOfType = ({ attributes }: Catalogue, key: string, type: string): boolean =>
  attributes.find((one) => one.key === key)?.type === type;

/** Teams are named by a text attribute of their players. */
function Teams({ board, catalogue }: { board: LeaderboardDraft; catalogue: Catalogue }) {
  const [attribute, setAttribute] = useMember<Choice>("teamAttribute");
  const isOfTeams = attribute !== null;
  return (
    <>
      <Switch
        checked={isOfTeams}
        onCheckedChange={(next) => setAttribute(next ? "" : null)}
        disabled={board.league !== null}
        label="Rank teams"
        hint={
          board.league !== null
            ? "A league moves players between tiers, so it has no teams."
            : "A team's score is the sum of its members' scores."
        }
      />
      {isOfTeams && (
        <FormField
          at={["teamAttribute"]}
          label="Team attribute"
          required
          hint="A text attribute that names the team, such as the office or the club."
        >
          <DefinitionPicker
            kind="attributes"
            value={attribute}
            onValueChange={setAttribute}
            accept={({ key }) => isOfType(catalogue, key, "String")}
          />
        </FormField>
      )}
    </>
  );
}
