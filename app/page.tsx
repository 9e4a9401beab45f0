import { notFound } from "next/navigation";

/** The base address answers 404 to everyone (decisions.md 1): not-found.tsx is what a browser shows. */
export default function Page(): never {
  notFound();
}
