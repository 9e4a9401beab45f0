"use client";

import type { ComponentProps } from "react";

/**
 * A form that is submitted by script. Before hydration it cannot be submitted: with "dialog" the browser stays on the page and keeps the
 * input.
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
