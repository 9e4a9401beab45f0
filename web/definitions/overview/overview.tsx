import type { Kind } from "#server/model/definitions/contract.ts";
import { canonicalLanguage, languageName } from "#server/model/kernel/languages.ts";
import { isJsonObject } from "#server/model/kernel/values.ts";
import type { Text } from "#server/model/kernel/texts.ts";
import type { Scope } from "../../client/address.ts";
import { orLeave, serverRpc } from "../../client/server.tsx";
import { MoreLink, TextLink } from "../../components/button.tsx";
import { Card } from "../../components/surface.tsx";
import { Thumbnail } from "../list/thumbnail.tsx";
import { ScheduledChanges } from "../schedule/scheduled-changes.tsx";
import { References } from "../references.tsx";
import { SegmentPlayers, MembershipTrial } from "./segment-members.tsx";
import { catalogueOf } from "../catalogue.ts";
import { draftOf } from "../document/draft.ts";
import { SummaryLines } from "../form/summary.tsx";
import { definitionPath } from "../kinds/index.ts";
import { SUMMARIES } from "../kinds/summaries.ts";
import { TopThree } from "../../boards/top-three.tsx";
import { MissionFigures } from "./mission-figures.tsx";
import type { Definition } from "./read-definition.ts";
import { StockPeriods } from "./rounds.tsx";
import { WaitingRequests } from "../../change-requests/waiting.tsx";
import { DefinitionBudgets } from "../../alerts/budgets.tsx";
import { VersionLine } from "../history/version-line.tsx";
import { ENVIRONMENT_NAMES } from "../../components/environment-badge.tsx";

const MAX_CHANGES = 5;

/** The Overview: content for players and staff, references, and the last changes. */
export async function DefinitionOverview({ scope, kind, known }: { scope: Scope; kind: Kind; known: Definition }) {
  const rpc = await serverRpc();
  const [catalogue, { versions }, scheduled] = await orLeave(
    Promise.all([
      rpc.definitions.catalogue(scope),
      rpc.definitions.history({ ...scope, kind, key: known.key, limit: MAX_CHANGES }),
      rpc.definitions.scheduled({ ...scope, which: { kind, key: known.key } }),
    ]),
  );
  const { defaultLanguage } = catalogue;
  const draft = draftOf(known.document, defaultLanguage);
  const lines = SUMMARIES[kind](draft, catalogueOf(catalogue));
  const at = `/dashboard/${scope.project}/${scope.environment}`;
  const history = `${at}${definitionPath(kind, known.key)}/history`;
  return (
    <div className="flex flex-col gap-4">
      <WaitingRequests kind={kind} definitionKey={known.key} />
      <ScheduledChanges which={{ kind, key: known.key }} initial={scheduled} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {isJsonObject(draft.name) && <PlayerTexts draft={draft} name={known.name} withImage={"images" in draft} />}
          {kind === "missions" && (
            <MissionFigures scope={scope} missionKey={known.key} results={`${at}${definitionPath(kind, known.key)}/results`} />
          )}
          {kind === "leaderboards" && <TopThree boardKey={known.key} />}
          {lines.length > 0 && (
            <Card title="Summary">
              <SummaryLines isWide lines={lines} />
            </Card>
          )}
          {kind === "marketplaceItems" && <StockPeriods listingKey={known.key} />}
          {kind === "segments" && (
            <>
              <MembershipTrial document={known.document} />
              <SegmentPlayers segmentKey={known.key} isActive={known.active} />
            </>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {(kind === "missions" || kind === "marketplaceItems") && <DefinitionBudgets kind={kind} definitionKey={known.key} />}
          <References title="Uses" of={known.names} />
          <References title="Used by" of={known.usedBy} />
          <OtherEnvironment scope={scope} kind={kind} known={known} />
          <Card title="Recent changes" padded={false} actions={<MoreLink href={history}>History</MoreLink>}>
            <ul className="divide-y divide-line">
              {versions.map((version) => (
                <li key={version.version} className="px-4 py-2.5 text-[0.8125rem]">
                  <VersionLine version={version} />
                </li>
              ))}
            </ul>
          </Card>
        </div>
      </div>
    </div>
  );
}

/** Texts and picture as players see them; further languages by name. */
function PlayerTexts({ draft, name, withImage }: { draft: Record<string, unknown>; name: string; withImage: boolean }) {
  const texts = draft.name as Text;
  const description = (draft.description as Text | undefined)?.texts ?? {};
  const others = Object.keys(texts.texts).filter((tag) => tag !== texts.default);
  const [image] = Object.values((draft.images ?? {}) as Record<string, unknown>);
  return (
    <Card>
      <div className="flex items-start gap-3">
        {withImage && <Thumbnail image={image} name={name} />}
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">{texts.texts[texts.default]}</p>
          {description[texts.default] && (
            <p className="mt-0.5 text-quiet wrap-anywhere whitespace-pre-line">{description[texts.default]}</p>
          )}
          {others.map((tag) => (
            <p key={tag} lang={canonicalLanguage(tag) ?? undefined} className="mt-2 text-[0.8125rem] text-quiet wrap-anywhere">
              <span className="mr-1.5 text-xs text-faint">{languageName(tag)}</span>
              {texts.texts[tag]}
              {description[tag] && ` · ${description[tag]}`}
            </p>
          ))}
        </div>
      </div>
    </Card>
  );
}

/** Whether the other environment has the definition, and the same one. */
function OtherEnvironment({ scope: { project }, kind, known: { key, other } }: { scope: Scope; kind: Kind; known: Definition }) {
  const name = ENVIRONMENT_NAMES[other.environment];
  return (
    <Card title={name}>
      <p className="text-[0.8125rem] text-quiet">
        {other.exists ? (
          <TextLink href={`/dashboard/${project}/${other.environment}${definitionPath(kind, key)}`} className="text-accent">
            {other.differs ? `Different in ${name}` : `The same in ${name}`}
          </TextLink>
        ) : (
          `Not in ${name}`
        )}
      </p>
    </Card>
  );
}
