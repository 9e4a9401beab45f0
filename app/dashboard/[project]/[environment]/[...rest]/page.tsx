import { notFound } from "next/navigation";

/** Whatever is no screen of an environment: not found within its frame, from where one goes on. */
export default function NoSuchScreen(): never {
  notFound();
}
