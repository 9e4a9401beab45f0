import { X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { cx, CONTROL } from "../../components/classes.ts";
import { InstantInput } from "../../components/instant-input.tsx";
import { SuggestingInput } from "../../components/suggesting-input.tsx";
import { writeJson } from "#server/model/kernel/json.ts";
import type { Scalar, ScalarType } from "#server/model/kernel/values.ts";
import { textOf } from "#server/model/rules/phrase.ts";
import { valuePhrase } from "#server/model/rules/value-words.ts";
import { useAuthoring } from "../form/authoring.tsx";
import { ScalarInput } from "./inputs.tsx";
import { numberOf } from "./numbers.ts";

interface ListProps {
  type: ScalarType | undefined;
  values: Scalar[];
  onValuesChange(values: Scalar[]): void;
  suggestions?: readonly string[];
  "aria-label": string;
}

/** A tag input: several values of a type, separated by Enter or commas; or pasted together. */
export function ListInput({ type, values, onValuesChange, suggestions = [], "aria-label": label }: ListProps) {
  const { catalogue } = useAuthoring();
  const add = (scalars: (Scalar | null)[]) => {
    const known = new Set(values.map(writeJson));
    const more = scalars.filter((one): one is Scalar => one !== null && !known.has(writeJson(one)) && Boolean(known.add(writeJson(one))));
    if (more.length > 0) onValuesChange([...values, ...more]);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div
        className={cx(
          CONTROL,
          "flex h-auto min-h-8 max-sm:h-auto flex-wrap items-center gap-1 px-1 py-0.5 focus-within:border-accent focus-within:ring-2 focus-within:ring-accent/25",
        )}
      >
        {values.map((value, at) => {
          const text = textOf(valuePhrase(value, { type, timeZone: catalogue.timeZone }));
          return (
            <span
              key={writeJson(value)}
              className="flex max-w-full items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-2 text-[0.8125rem]"
            >
              <span className="truncate">{text}</span>
              <button
                type="button"
                aria-label={`Remove ${text}`}
                onClick={() => onValuesChange(values.toSpliced(at, 1))}
                className="flex size-6 items-center justify-center rounded text-faint hover:text-ink"
              >
                <X className="size-3" />
              </button>
            </span>
          );
        })}
        {(type === "String" || type === "Number" || type === undefined) && (
          <NextValue
            type={type}
            label={label}
            isFirst={values.length === 0}
            suggestions={suggestions.filter((text) => !values.some((value) => String(value) === text))}
            onAdd={add}
            onRemoveLast={() => onValuesChange(values.slice(0, -1))}
          />
        )}
      </div>
      {type === "DateTime" && <NextInstant label={`${label}: add another`} onAdd={(one) => add([one])} />}
      {type === "Boolean" && (
        <ScalarInput
          key={values.length}
          type={type}
          value={null}
          onValueChange={(one) => add([one])}
          aria-label={`${label}: add another`}
        />
      )}
    </div>
  );
}

const SEPARATORS = /[,\n;]/;

/** The texts of the values in an input. A suggestion that was picked is one value, which may contain a separator. */
export const textsIn = (typed: string, isPicked: boolean): string[] =>
  isPicked
    ? [typed]
    : typed
        .split(SEPARATORS)
        .map((word) => word.trim())
        .filter((word) => word !== "");

/** Enter, or the shortcut that saves the form: the save comes after it, and includes the value. */
const isEnd = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key === "Enter" || ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "s");

/** Adds the value when the input loses the focus: after 18:3 the browser already reports 18:03. */
function NextInstant({ label, onAdd }: { label: string; onAdd(value: string): void }) {
  const [instant, setInstant] = useState<string | null>(null);
  const take = () => {
    if (instant === null) return;
    onAdd(instant);
    setInstant(null);
  };
  return (
    <div
      // An input that another window takes the focus from stays the active element: its value is still being typed.
      onBlur={({ target }) => document.activeElement !== target && take()}
      onKeyDown={(event) => isEnd(event) && take()}
    >
      <InstantInput aria-label={label} value={instant} onValueChange={setInstant} />
    </div>
  );
}

interface NextProps {
  type: "String" | "Number" | undefined;
  label: string;
  isFirst: boolean;
  suggestions: readonly string[];
  onAdd(values: (Scalar | null)[]): void;
  onRemoveLast(): void;
}

function NextValue({ type, label, isFirst, suggestions, onAdd, onRemoveLast }: NextProps) {
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const take = (typed: string, isPicked = false) => {
    const scalars = textsIn(typed, isPicked).map((word) => (type === "Number" ? numberOf(word) : word));
    const wrong = scalars.some((one) => Number.isNaN(one));
    setWrong(wrong);
    if (wrong) return;
    onAdd(scalars);
    setText("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isEnd(event) && text.trim() !== "") {
      event.preventDefault();
      take(text);
    } else if (event.key === "Backspace" && text === "") {
      onRemoveLast();
    }
  };
  return (
    <SuggestingInput
      aria-label={label}
      aria-invalid={isWrong || undefined}
      inputMode={type === "Number" ? "decimal" : undefined}
      placeholder={isFirst ? "One or more, separated by commas" : ""}
      suggestions={suggestions}
      value={text}
      onValueChange={(next, isPicked) => (isPicked || SEPARATORS.test(next) ? take(next, isPicked) : setText(next))}
      onKeyDown={onKeyDown}
      onBlur={() => take(text)}
      className="h-6 min-w-24 flex-1 bg-transparent px-1.5 text-sm outline-none aria-invalid:text-bad"
    />
  );
}
