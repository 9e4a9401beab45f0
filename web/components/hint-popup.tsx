import { Tooltip } from "@base-ui/react/tooltip";

export interface Hint {
  anchor: Element;
  words: string;
}

export const HintPopup = ({ hint }: { hint: Hint | null }) => (
  <Tooltip.Root open={hint !== null}>
    <Tooltip.Portal>
      <Tooltip.Positioner anchor={hint?.anchor ?? null} sideOffset={6} className="pointer-events-none z-50">
        <Tooltip.Popup className="max-w-72 rounded-md border border-line bg-overlay px-2 py-1 text-xs text-ink shadow-overlay">
          {hint?.words}
        </Tooltip.Popup>
      </Tooltip.Positioner>
    </Tooltip.Portal>
  </Tooltip.Root>
);
