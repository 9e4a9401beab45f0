import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { orpc, useRead } from "../../client/service.tsx";
import { Combobox } from "../../components/combobox.tsx";

interface PlayerPickerProps {
  value: string | null;
  onValueChange(externalId: string | null): void;
}

/** A player picker, by prefix of id or display name; the newest first. */
export function PlayerPicker({ value, onValueChange }: PlayerPickerProps) {
  const [typed, setTyped] = useState("");
  const query = useSettled(typed.trim());
  const { data, isPending, isError } = useRead(orpc.players.search, { query, limit: 20 }, { placeholderData: keepPreviousData });
  const options = (data?.players ?? []).map(({ externalId, displayName }) => ({
    value: externalId,
    label: externalId,
    hint: displayName ?? undefined,
  }));
  return (
    <Combobox
      value={value}
      onValueChange={onValueChange}
      options={options}
      onSearch={setTyped}
      placeholder="Search by ID or name"
      emptyText={emptyText(query, isPending, isError)}
      isClearable
    />
  );
}

function emptyText(query: string, isPending: boolean, isError: boolean): string {
  if (isPending) return "Searching…";
  if (isError) return "Players could not be loaded.";
  return query === "" ? "No players yet. They are created with their first event." : `No ID or name starts with "${query}".`;
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 150);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
