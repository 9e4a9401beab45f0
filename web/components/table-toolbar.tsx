import { Search } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { cx, CONTROL } from "./classes.ts";
import { useTypedBefore } from "./typed-before.ts";

/** Search and filters above a table. */
export const TableToolbar = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2 border-b border-line p-2.5">{children}</div>
);

/**
 * Debounced search input, which does not wait once it is left: the address is written before a link is followed, since writing it later
 * would end the navigation. A native one: the library's would be a tenth of a list page's JavaScript.
 */
export function SearchInput({
  value,
  onValueChange,
  label,
  className = "w-full min-w-40 sm:w-64",
}: {
  value: string;
  onValueChange(value: string): void;
  label: string;
  className?: string;
}) {
  const [text, setText] = useState(value);
  const [had, setHad] = useState(value);
  /** The texts given since `value`, which becomes them later: meanwhile more may be typed. */
  const [given, setGiven] = useState<readonly string[]>([]);
  const ref = useTypedBefore<HTMLInputElement>();
  if (had !== value) {
    setHad(value);
    const at = given.indexOf(value);
    setGiven(at === -1 ? [] : given.slice(at + 1));
    if (at === -1) setText(value);
  }
  const last = given.at(-1) ?? value;
  const give = () => {
    if (text === last) return;
    setGiven([...given, text]);
    onValueChange(text);
  };
  const giveLater = useEffectEvent(give);
  useEffect(() => {
    if (text === last) return;
    const timer = setTimeout(giveLater, 200);
    return () => clearTimeout(timer);
  }, [text, last]);
  return (
    <div className={cx("relative", className)}>
      <Search className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-quiet" />
      <input
        ref={ref}
        type="search"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={give}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        className={cx(CONTROL, "pl-8")}
      />
    </div>
  );
}
