"use client";

import { useEffect, useState } from "react";
import dynamic from "next/dynamic";
import { useOpener } from "../components/opener.ts";

interface PaletteState {
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
  open(): void;
}

/** Loaded on first use. */
const PaletteDialog = dynamic(() => import("./palette-dialog.tsx").then((loaded) => loaded.PaletteDialog), { ssr: false });

/** ⌘K or Ctrl+K anywhere. */
export function usePalette(): PaletteState {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setOpen((was) => !was);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return { isOpen, setOpen, open: () => setOpen(true) };
}

export function Palette({ isOpen, setOpen }: PaletteState) {
  const [isWanted, setWanted] = useState(false);
  const finalFocus = useOpener(isOpen);
  if (isOpen && !isWanted) setWanted(true);
  return isWanted && <PaletteDialog isOpen={isOpen} setOpen={setOpen} finalFocus={finalFocus} />;
}
