"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { IconButton } from "./button.tsx";
import { Menu, type MenuItem } from "./overlay.tsx";

/** The entries of a menu that chooses the theme. */
export function useThemeItems(): MenuItem[] {
  const { setTheme } = useTheme();
  return [
    { label: "Light", icon: <Sun aria-hidden />, onSelect: () => setTheme("light") },
    { label: "Dark", icon: <Moon aria-hidden />, onSelect: () => setTheme("dark") },
    { label: "As the system has it", icon: <Monitor aria-hidden />, onSelect: () => setTheme("system") },
  ];
}

export function ThemeMenu() {
  return <Menu items={useThemeItems()} trigger={<IconButton label="Theme" icon={<Sun aria-hidden />} />} />;
}
