"use client";

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
import { GripVertical } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cx } from "../../_components/classes.ts";

interface SortableProps {
  ids: readonly string[];
  onMove(from: number, to: number): void;
  /** Says what one entry is: "Objective 2". */
  nameOf(at: number): string;
  className?: string;
  /** `handle` is what an entry is dragged by; null where there is nothing to move. */
  children(at: number, handle: ReactNode): ReactNode;
}

/** Entries in an order that is changed by dragging, or by keyboard: Space on the handle takes one up, arrows move it, Space lays it down. */
export function Sortable({ ids, onMove, nameOf, className, children }: SortableProps) {
  const id = useId();
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
            <Entry key={one} id={one} name={nameOf(at)}>
              {(handle) => children(at, ids.length < 2 ? null : handle)}
            </Entry>
          ))}
        </div>
      </SortableContext>
    </DndContext>
  );
}

const INSTRUCTIONS = {
  draggable: "Press Space to pick it up, the arrow keys to move it, Space to drop it, Escape to cancel.",
};

/** What is said of a move to who cannot see it. */
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

function Entry({ id, name, children }: { id: string; name: string; children(handle: ReactNode): ReactNode }) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({ id });
  const handle = (
    <button
      type="button"
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      aria-label={`Move ${name}`}
      className="flex size-7 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-faint hover:bg-sunken hover:text-ink active:cursor-grabbing"
    >
      <GripVertical className="size-4" aria-hidden />
    </button>
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
