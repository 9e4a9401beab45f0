"use client";

import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { TextInput } from "../components/inputs.tsx";

interface PasswordInputProps {
  name?: string;
  value: string;
  onValueChange(value: string): void;
  /** Tells password managers which password is requested. */
  autoComplete: "current-password" | "new-password";
  autoFocus?: boolean;
}

/** A password field with a button to reveal it. */
export function PasswordInput({ value, onValueChange, ...rest }: PasswordInputProps) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className="relative">
      <TextInput {...rest} type={isShown ? "text" : "password"} required value={value} onValueChange={onValueChange} className="h-9 pr-9" />
      <button
        type="button"
        aria-label={isShown ? "Hide the password" : "Show the password"}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute inset-y-0 right-0 flex w-9 items-center justify-center rounded-r-lg text-faint hover:text-ink"
      >
        <Icon className="size-4" aria-hidden />
      </button>
    </div>
  );
}
