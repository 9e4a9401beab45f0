import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { restrictToParentElement, restrictToVerticalAxis } from "@dnd-kit/modifiers";
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ArrowDown, ArrowUp, GripVertical } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { cx } from "../../components/classes.ts";

interface SortableProps {
  ids: readonly string[];
  onMove(from: number, to: number): void;
  /** Names an entry: "Objective 2". */
  nameOf(at: number): string;
  className?: string;
  /** Whether each handle has arrows, for users who cannot drag; entries with a menu have them there. */
  hasArrows?: boolean;
  /** `handle` is the drag handle; null if there is nothing to reorder. */
  children(at: number, handle: ReactNode): ReactNode;
}

/**
 * A sortable list: by dragging, by arrow buttons, or by keyboard: Space on the handle picks an entry up, arrows move it, Space drops it.
 */
export function Sortable({ ids, onMove, nameOf, className, hasArrows = true, children }: SortableProps) {
  const id = useId();
  const [announcement, setAnnouncement] = useState("");
  const arrowsAt = (at: number): ArrowsProps => ({
    at,
    of: ids.length,
    name: nameOf(at),
    onMoveTo: (to) => {
      onMove(at, to);
      setAnnouncement(`Moved to place ${to + 1} of ${ids.length}.`);
    },
  });
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over === null || active.id === over.id) return;
    onMove(ids.indexOf(String(active.id)), ids.indexOf(String(over.id)));
  };
  if (ids.length === 0) return null;
  return (
    <DndContext
      id={id}
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[restrictToVerticalAxis, restrictToParentElement]}
      onDragEnd={onDragEnd}
      accessibility={{ announcements: announcementsOf(ids, nameOf), screenReaderInstructions: INSTRUCTIONS }}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
        <div className={cx("flex flex-col gap-3", className)}>
          {ids.map((one, at) => (
            <Entry key={one} id={one} name={nameOf(at)} arrows={hasArrows && <Arrows {...arrowsAt(at)} />}>
              {(handle) => children(at, ids.length < 2 ? null : handle)}
            </Entry>
          ))}
        </div>
        <div role="status" className="sr-only">
          {announcement}
        </div>
      </SortableContext>
    </DndContext>
  );
}

const INSTRUCTIONS = {
  draggable: "Press Space to pick it up, the arrow keys to move it, Space to drop it, Escape to cancel.",
};

/** Announcements for screen readers. */
function announcementsOf(ids: readonly string[], nameOf: SortableProps["nameOf"]): Announcements {
  const name = (id: UniqueIdentifier) => nameOf(ids.indexOf(String(id)));
  const place = (id: UniqueIdentifier) => `place ${ids.indexOf(String(id)) + 1} of ${ids.length}`;
  return {
    onDragStart: ({ active }) => `${name(active.id)} was picked up from ${place(active.id)}.`,
    onDragOver: ({ active, over }) => (over === null ? undefined : `${name(active.id)} is over ${place(over.id)}.`),
    onDragEnd: ({ active, over }) => `${name(active.id)} was dropped${over === null ? "" : ` at ${place(over.id)}`}.`,
    onDragCancel: ({ active }) => `${name(active.id)} stays where it was.`,
  };
}

interface ArrowsProps {
  at: number;
  of: number;
  name: string;
  onMoveTo(to: number): void;
}

/** At either end one arrow does nothing; it is not disabled, since it would lose the focus. */
const Arrows = ({ at, of, name, onMoveTo }: ArrowsProps) =>
  [
    { label: "Move up", to: at - 1, Icon: ArrowUp },
    { label: "Move down", to: at + 1, Icon: ArrowDown },
  ].map(({ label, to, Icon }) => {
    const isEnd = to < 0 || to >= of;
    return (
      <button
        key={label}
        type="button"
        aria-label={`${label}: ${name}`}
        aria-disabled={isEnd}
        onClick={() => !isEnd && onMoveTo(to)}
        className="flex size-6 items-center justify-center rounded-md text-faint hover:bg-sunken hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-40"
      >
        <Icon className="size-3.5" />
      </button>
    );
  });

function Entry({ id, name, arrows, children }: { id: string; name: string; arrows: ReactNode; children(handle: ReactNode): ReactNode }) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({ id });
  const grip = (
    <button
      type="button"
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      aria-label={`Move ${name}`}
      className="flex size-7 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-faint hover:bg-sunken hover:text-ink active:cursor-grabbing"
    >
      <GripVertical className="size-4" />
    </button>
  );
  const handle = arrows ? (
    <span className="flex shrink-0 items-center">
      {grip}
      {arrows}
    </span>
  ) : (
    grip
  );
  return (
    <div
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={cx("min-w-0", isDragging && "relative z-10 opacity-80")}
    >
      {children(handle)}
    </div>
  );
}
