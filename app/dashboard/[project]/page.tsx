import { redirect } from "next/navigation";

/** A project begins with its Sandbox. */
export default async function ProjectPage({ params }: { params: Promise<{ project: string }> }) {
  redirect(`/dashboard/${(await params).project}/sandbox`);
}
