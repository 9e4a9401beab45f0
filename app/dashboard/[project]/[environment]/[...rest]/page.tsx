import { notFound } from "next/navigation";

/** Unknown paths below an environment: a 404 inside its frame, so the navigation stays. */
export default function NoSuchScreen(): never {
  notFound();
}
