import { Plus, Trash2 } from "lucide-react";
import { Button, IconButton } from "#web/components/button.tsx";
import { Switch } from "#web/components/toggle.tsx";
import { TextInput } from "#web/components/inputs.tsx";
import type { Text } from "#server/model/kernel/texts.ts";
import { emptyText, keyFrom, textOf } from "../../document/text.ts";
import { NumberInput } from "../../fields/inputs.tsx";
import { useKeyedList } from "../../fields/keyed-list.ts";
import { Sortable } from "../../fields/sortable.tsx";
import { TextField } from "../../fields/text-field.tsx";
import { useAuthoring, useMember } from "../../form/authoring.tsx";
import { FieldProblems, FormField, Section } from "../../form/form-field.tsx";
import type { League, LeaderboardDraft } from "../leaderboard-words.ts";

interface Tier {
  key: string;
  name: Text;
}

const tier = (name: string, language: string): Tier => ({ key: keyFrom(name), name: textOf(name, language) });

/** A league's tiers and groups, with promotion and relegation. */
export function LeagueSection() {
  const { fixedAt, catalogue } = useAuthoring();
  const [period] = useMember<LeaderboardDraft["period"]>("period");
  const [teamAttribute] = useMember<string | null>("teamAttribute");
  const [league, setLeague] = useMember<League | null>("league");
  const reason = fixedAt(["league"]);
  const hindrance =
    period.kind !== "Calendar"
      ? "A league needs a repeating period."
      : teamAttribute !== null
        ? "A league moves players between tiers, and this board ranks teams."
        : null;
  const begin = (): League => ({
    groupSize: 30,
    tiers: ["Bronze", "Silver", "Gold"].map((name) => tier(name, catalogue.language)),
    promotes: 5,
    relegates: 5,
  });
  return (
    <Section title="League" description="Players compete in small groups. The best move up a tier, the last move down." at={["league"]}>
      {reason === null && (
        <Switch
          checked={league !== null}
          onCheckedChange={(has) => setLeague(has ? begin() : null)}
          disabled={league === null && hindrance !== null}
          label="Play in leagues"
          hint={hindrance ?? undefined}
        />
      )}
      {reason !== null && league === null && <p className="text-quiet">This leaderboard has no league.</p>}
      {league !== null && <LeagueFields league={league} onChange={setLeague} isFixed={reason !== null} />}
    </Section>
  );
}

function LeagueFields({ league, onChange, isFixed }: { league: League; onChange(league: League): void; isFixed: boolean }) {
  const numbers = [
    { member: "groupSize", label: "Players in a group" },
    { member: "promotes", label: "Move up" },
    { member: "relegates", label: "Move down" },
  ] as const;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        {numbers.map(({ member, label }) => (
          <FormField key={member} at={isFixed ? ["shown", member] : ["league", member]} label={label} required={!isFixed}>
            <NumberInput
              disabled={isFixed}
              value={league[member]}
              onValueChange={(next) => onChange({ ...league, [member]: next as number | null })}
            />
          </FormField>
        ))}
      </div>
      <Tiers league={league} onChange={onChange} isFixed={isFixed} />
    </>
  );
}

function Tiers({ league, onChange, isFixed }: { league: League; onChange(league: League): void; isFixed: boolean }) {
  const { catalogue, isReadOnly } = useAuthoring();
  const list = useKeyedList(league.tiers as Tier[], (tiers) => onChange({ ...league, tiers }));
  const rename = (at: number, name: Text) => {
    const { key, name: before } = list.items[at]!.item;
    const follows = !isFixed && key === keyFrom(before.texts[before.default] ?? "");
    list.change(at, { key: follows ? keyFrom(name.texts[name.default] ?? "") : key, name });
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-[0.8125rem] text-quiet">Tiers, from the lowest to the highest. Everyone starts in the first.</p>
      <Sortable ids={list.items.map(({ id }) => id)} onMove={list.move} nameOf={(at) => `tier ${at + 1}`}>
        {(at, handle) => {
          const { key, name } = list.items[at]!.item;
          return (
            <div className="flex items-start gap-2 rounded-lg border border-line p-3">
              {!isFixed && handle}
              <div className="grid min-w-0 flex-1 items-end gap-3 sm:grid-cols-[2fr_1fr]">
                <TextField
                  at={["league", "tiers", at, "name"]}
                  label={`Tier ${at + 1}`}
                  value={name}
                  onValueChange={(next) => rename(at, next)}
                />
                <FormField at={isFixed ? ["shown", "tiers", at] : ["league", "tiers", at, "key"]} label="Key">
                  <TextInput
                    aria-label={`Key of tier ${at + 1}`}
                    value={key}
                    onValueChange={(next) => list.change(at, { key: next, name })}
                    disabled={isFixed}
                    spellCheck={false}
                    autoComplete="off"
                    className="font-mono text-[0.8125rem]"
                  />
                </FormField>
              </div>
              {!isFixed && <IconButton label={`Remove tier ${at + 1}`} icon={<Trash2 />} onClick={() => list.remove(at)} />}
            </div>
          );
        }}
      </Sortable>
      <FieldProblems at={["league", "tiers"]} />
      {!isFixed && !isReadOnly && (
        <Button size="sm" className="self-start" icon={<Plus />} onClick={() => list.add({ key: "", name: emptyText(catalogue.language) })}>
          Add a tier
        </Button>
      )}
    </div>
  );
}
