"use client";

import type { ComponentProps } from "react";

/**
 * A form that the page's code sends. Until React has taken the page over nobody can send it: with "dialog" the browser stays on the page,
 * and what was typed stays with it.
 */
export const ScriptForm = ({
  onSubmit,
  ...rest
}: Omit<ComponentProps<"form">, "method" | "action" | "onSubmit"> & { onSubmit(): void }) => (
  <form
    {...rest}
    method="dialog"
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  />
);
