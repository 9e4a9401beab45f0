import { useWhere } from "../client/service.tsx";
import { Checkbox } from "../components/toggle.tsx";
import { Dialog, type Opened } from "../components/overlay.tsx";
import { useCommandKey, useShortcut } from "../components/shortcut.ts";
import { Kbd } from "../components/surface.tsx";
import { goKeys, KEYS } from "./keys.ts";
import { turnKeys, useKeysSetting } from "./use-keys.ts";

export function KeyHelp(opened: Opened) {
  const { project, environment } = useWhere();
  const areOn = useKeysSetting();
  const command = useCommandKey();
  const everywhere = [...KEYS.map(([key, words]) => [[key], words] as const), [[useShortcut()], "Search or jump to"] as const];
  const forms = [
    [[`${command}S`], "Save a form"],
    [["Enter"], "Save a translation and go to the next"],
  ] as const;
  const screens = goKeys(project, environment).map(({ shortcut, label }) => [["g", shortcut], label] as const);
  return (
    <Dialog {...opened} title="Keyboard shortcuts">
      <div className="flex flex-col gap-4">
        <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          <Keys title="Anywhere" rows={[...everywhere, ...forms]} />
          <Keys title="Go to" rows={screens} />
        </div>
        <Checkbox
          label="Single-key shortcuts"
          hint="In this browser. Turn them off if speech input presses them by mistake."
          checked={areOn}
          onCheckedChange={turnKeys}
        />
      </div>
    </Dialog>
  );
}

const Keys = ({ title, rows }: { title: string; rows: readonly (readonly [readonly string[], string])[] }) => (
  <section aria-label={title}>
    <h3 className="mb-1.5 text-xs font-medium text-quiet">{title}</h3>
    <dl className="flex flex-col gap-1">
      {rows.map(([keys, words]) => (
        <div key={words} className="flex items-center justify-between gap-3 text-[0.8125rem]">
          <dt>{words}</dt>
          <dd className="flex shrink-0 gap-1">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
