import { redirect } from "next/navigation";

/** A project opens on its Sandbox. */
export default async function ProjectPage({ params }: { params: Promise<{ project: string }> }) {
  redirect(`/dashboard/${(await params).project}/sandbox`);
}
