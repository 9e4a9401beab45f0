import { useState } from "react";
import { Eye, EyeOff } from "lucide-react";
import { Button, type ButtonProps } from "../components/button.tsx";
import { Field, TextInput } from "../components/inputs.tsx";

interface CodeFieldProps {
  code: string;
  onCodeChange(code: string): void;
  /** Whether a recovery code is typed in place of the app's. */
  isRecovery: boolean;
  onRecoveryChange(isRecovery: boolean): void;
}

/** A code of the authenticator app, or a recovery code. */
export function CodeField({ code, onCodeChange, isRecovery, onRecoveryChange }: CodeFieldProps) {
  const change = () => {
    onRecoveryChange(!isRecovery);
    onCodeChange("");
  };
  return (
    <Field
      label={isRecovery ? "Recovery code" : "Code"}
      at="#/code"
      hint={isRecovery ? "One of your ten recovery codes. Each works once." : "Six digits, from your authenticator app."}
      aside={
        <button type="button" onClick={change} className="rounded text-xs text-quiet underline-offset-2 hover:text-ink hover:underline">
          {isRecovery ? "Use the app" : "Use a recovery code"}
        </button>
      }
    >
      <TextInput
        key={String(isRecovery)}
        name="code"
        inputMode={isRecovery ? "text" : "numeric"}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        maxLength={40}
        value={code}
        onValueChange={onCodeChange}
        className="h-9 font-mono"
      />
    </Field>
  );
}

interface EmailFieldProps {
  value: string;
  onValueChange(value: string): void;
}

/** The address of an account. */
export const EmailField = (props: EmailFieldProps) => (
  <Field label="Email address">
    <TextInput {...props} name="email" type="email" autoComplete="username" required autoFocus className="h-9" />
  </Field>
);

/** The button of a form in the frame of the sign-in pages. */
export const SubmitButton = (props: Pick<ButtonProps, "isPending" | "children">) => (
  <Button {...props} type="submit" variant="primary" className="h-9 w-full" />
);

interface PasswordInputProps {
  name?: string;
  value: string;
  onValueChange(value: string): void;
  /** Tells password managers which password is requested. */
  autoComplete: "current-password" | "new-password";
  autoFocus?: boolean;
}

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
        <Icon className="size-4" />
      </button>
    </div>
  );
}
