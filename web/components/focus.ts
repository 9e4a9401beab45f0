const CONTROLS = "input:not([type=hidden]):not([aria-hidden=true]), textarea, button, [tabindex='0']";

export const firstControl = (field: Element | null | undefined): HTMLElement | null => field?.querySelector<HTMLElement>(CONTROLS) ?? null;

/** Scrolls to a field and focuses its first control. */
export function focusIn(field: HTMLElement): void {
  field.scrollIntoView({ block: "center" });
  (firstControl(field) ?? field).focus({ preventScroll: true });
}
