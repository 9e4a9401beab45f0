"use client";

import { useState } from "react";
import type { AuthoringExample } from "#server/model/rules/authoring-examples.ts";
import { useWhere } from "../../client/service.tsx";
import { LinkButton } from "../../components/button.tsx";
import { Field } from "../../components/inputs.tsx";
import { Select } from "../../components/select.tsx";
import { Card } from "../../components/surface.tsx";
import { capitalised } from "#server/model/kernel/thousands.ts";
import type { NeedOption } from "./choices.ts";

interface CardProps {
  /** The part of the address for its kind. */
  path: string;
  example: Pick<AuthoringExample, "key" | "title" | "goodFor" | "summary">;
  needs: readonly { name: string; noun: string; standsFor: string; options: readonly NeedOption[]; usual: string }[];
}

/** One example: its purpose, the choice for each need, and the link to the form. */
export function ExampleCard({ path, example, needs }: CardProps) {
  const { href, can } = useWhere();
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(needs.map(({ name, usual }) => [name, usual])),
  );
  const address = new URLSearchParams({ example: example.key, ...chosen });
  return (
    <Card className="flex h-full flex-col [&>div]:flex [&>div]:flex-1 [&>div]:flex-col" aria-label={example.title}>
      <h2 className="text-sm font-semibold">{example.title}</h2>
      <p className="mt-1">{example.goodFor}</p>
      <p className="mt-1 text-[0.8125rem] text-quiet">{example.summary}</p>
      {needs.map(({ name, noun, standsFor, options }) => (
        <div key={name} className="mt-3">
          <Field label={`${capitalised(noun)} for ${standsFor}`} hint={options.find(({ value }) => value === chosen[name])?.note}>
            <Select
              value={chosen[name] ?? null}
              onValueChange={(value) => setChosen({ ...chosen, [name]: value })}
              options={options}
              disabled={!can("Editor")}
            />
          </Field>
        </div>
      ))}
      {can("Editor") && (
        <div className="mt-auto pt-4">
          <LinkButton href={href(`/${path}/new?${address}`)} aria-label={`Use this example: ${example.title}`}>
            Use this example
          </LinkButton>
        </div>
      )}
    </Card>
  );
}
