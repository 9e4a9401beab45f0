"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { Menu, type MenuItem } from "./overlay.tsx";

/** Menu entries that choose the theme. */
export function useThemeItems(): MenuItem[] {
  const { theme = "system", setTheme } = useTheme();
  const item = (name: string, label: string, icon: ReactNode): MenuItem => ({
    label,
    icon,
    isChosen: name === theme,
    onSelect: () => setTheme(name),
  });
  return [item("light", "Light", <Sun />), item("dark", "Dark", <Moon />), item("system", "System", <Monitor />)];
}

export const ThemeMenu = () => <Menu items={useThemeItems()} trigger={<IconButton label="Theme" icon={<Sun />} />} />;
