const CONTROLS = "input:not([type=hidden]):not([aria-hidden=true]), textarea, button, [tabindex='0']";

/** Scrolls to a field and focuses its first control. */
export function focusIn(field: HTMLElement): void {
  field.scrollIntoView({ block: "center" });
  (field.querySelector<HTMLElement>(CONTROLS) ?? field).focus({ preventScroll: true });
}
