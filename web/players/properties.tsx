import { useWhere } from "../client/service.tsx";
import { membersInWords } from "./values.ts";

export function Properties({ properties }: { properties: string }) {
  const { timeZone } = useWhere();
  const members = membersInWords(properties, timeZone);
  if (members.length === 0) return <span className="text-faint">None</span>;
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-0.5">
      {members.map(([name, value]) => (
        <span key={name} className="max-w-full truncate text-[0.8125rem]" title={`${name}: ${value}`}>
          <span className="text-quiet">{name}</span> {value}
        </span>
      ))}
    </span>
  );
}
