import { withCode } from "../text.tsx";
import { schemaName, resolve, type Schema } from "./document.ts";
import { innerOf, limitsOf, namesIn, schemaType, variantsOf } from "./type-name.ts";

export interface Member {
  name: string;
  schema: Schema;
  description?: string;
  isRequired: boolean;
}

interface Manner {
  /** Requests mark required members, responses optional ones. */
  marks: "required" | "optional";
  /** Names of the enclosing schemas: a recursive one is not expanded again. */
  within?: readonly string[];
}

/** Members of a body, or parameters: type, meaning, and collapsed nested members. */
export const SchemaMembers = ({ members, marks, within = [] }: Manner & { members: readonly Member[] }) => (
  <ul className="mt-2.5 list-none p-0">
    {members.map(({ name, schema, description = schema.description, isRequired }) => (
      <li key={name} className="m-0 border-t border-line py-2.5">
        <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2.5">
          <code className="bg-transparent p-0 text-[0.8438rem] font-semibold">{name}</code>
          <span className="text-[0.8125rem] text-quiet">{schemaType(schema)}</span>
          {marks === "required" && isRequired && <span className="text-xs font-medium text-warn">required</span>}
          {marks === "optional" && !isRequired && <span className="text-xs text-quiet">may be absent</span>}
        </p>
        {description?.split("\n\n").map((paragraph) => (
          <p key={paragraph} className="mt-0.5 text-quiet">
            {withCode(paragraph)}
          </p>
        ))}
        <ClosedList schema={schema} />
        <Inner schema={schema} marks={marks} within={within} />
      </li>
    ))}
  </ul>
);

const membersOf = ({ properties = {}, required = [] }: Schema): Member[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));

/** A value's closed list and limits. */
function ClosedList({ schema }: { schema: Schema }) {
  const said = schema.description?.toLowerCase() ?? "";
  const limits = limitsOf(schema).filter((limit) => !said.includes(limit));
  const isExplained = (value: unknown) => schema.description?.includes(`\`${value}\`: `);
  const all = (schema.enum ?? []).filter((value) => value !== null);
  const values = all.filter((value) => !isExplained(value));
  if (limits.length === 0 && values.length === 0) return null;
  return (
    <p className="mt-0.5 text-[0.8125rem] text-quiet">
      {values.length > 0 && (values.length < all.length ? "Or " : "One of ")}
      {values.map((value, index) => (
        <span key={String(value)}>
          {index > 0 && ", "}
          <code>{String(value)}</code>
        </span>
      ))}
      {values.length > 0 && ". "}
      {limits.length > 0 && `${limits.join(", ").replace(/^./, (first) => first.toUpperCase())}.`}
    </p>
  );
}

function Inner({ schema, marks, within = [] }: Manner & { schema: Schema }) {
  const inner = innerOf(schema);
  const names = namesIn(schema);
  if (inner === null || names.some((name) => within.includes(name))) return null;
  const variants = variantsOf(inner).filter((variant) => innerOf(variant) !== null);
  const whose = names[0];
  const manner = { marks, within: [...within, ...names] };
  return (
    <details className="mt-1.5">
      <summary className="w-fit cursor-pointer rounded-md border border-line px-2.5 py-0.5 text-[0.8125rem] text-quiet hover:border-line-strong hover:text-ink">
        {variants.length > 0 ? "Possible values" : whose ? `Members of ${whose}` : "Members"}
      </summary>
      <div className="ml-1.5 border-l-2 border-line pl-3.5">
        {variants.length > 0 ? <Variants variants={variants} {...manner} /> : <SchemaMembers members={membersOf(inner)} {...manner} />}
      </div>
    </details>
  );
}

/** One of several variants, discriminated by the member with a fixed value. */
const Variants = ({ variants, marks, within = [] }: Manner & { variants: readonly Schema[] }) =>
  variants.map((variant, index) => {
    const own = resolve(variant);
    const [mark] = Object.entries(own.properties ?? {}).filter(([, { const: only }]) => only !== undefined);
    return (
      <div key={index}>
        <p className="mt-3 text-[0.8125rem] font-medium">
          {mark ? withCode(`With \`${mark[0]}\` ${JSON.stringify(mark[1].const)}`) : (schemaName(variant) ?? "An object")}
        </p>
        <SchemaMembers members={membersOf(own)} marks={marks} within={[...within, ...namesIn(variant)]} />
      </div>
    );
  });

/** The members of a body: an object's, its elements', or its variants'. */
export function Shape({ schema, marks }: Manner & { schema: Schema }) {
  const inner = innerOf(schema);
  if (inner === null) return null;
  const variants = variantsOf(inner);
  const within = namesIn(schema);
  if (variants.length > 0) return <Variants variants={variants} marks={marks} within={within} />;
  return <SchemaMembers members={membersOf(inner)} marks={marks} within={within} />;
}
