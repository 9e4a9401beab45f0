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
  const [given, setGiven] = useState(value);
  const ref = useTypedBefore<HTMLInputElement>();
  if (given !== value) {
    setGiven(value);
    setText(value);
  }
  const give = () => {
    if (text === given) return;
    setGiven(text);
    onValueChange(text);
  };
  const giveLater = useEffectEvent(give);
  useEffect(() => {
    if (text === given) return;
    const timer = setTimeout(giveLater, 200);
    return () => clearTimeout(timer);
  }, [text, given]);
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
