import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DocsPage } from "#web/docs/frame/docs-page.tsx";
import { API_TAGS } from "#web/docs/navigation.ts";
import { endpointsOf } from "#web/docs/api/document.ts";
import { OperationEntry } from "#web/docs/api/operation.tsx";

interface Params {
  params: Promise<{ tag: string }>;
}

const tagOf = async ({ params }: Params) => {
  const { tag: slug } = await params;
  return API_TAGS.find((tag) => tag.slug === slug) ?? notFound();
};

export async function generateMetadata(props: Params): Promise<Metadata> {
  const { tag } = await tagOf(props);
  return { title: `${tag}, API reference` };
}

export default async function ApiTag(props: Params) {
  const { tag, description, href } = await tagOf(props);
  const endpoints = endpointsOf(tag);
  return (
    <DocsPage href={href} lead={<p>{description}</p>} isWide>
      {endpoints.map((endpoint) => (
        <OperationEntry key={endpoint.operation.operationId} endpoint={endpoint} />
      ))}
    </DocsPage>
  );
}
