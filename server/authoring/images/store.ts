import { firstRow, firstValue, type Sql, type Transaction } from "#db/client.ts";
import type { Image } from "../../model/images/image.ts";

/** An image without its bytes. `createdAt` is real time, epoch milliseconds. */
export type ImageRow = Omit<Image, "bytes"> & { createdAt: number };

export async function knownImages(sql: Sql, projectId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql<{ id: string }[]>`select id from images where project_id = ${projectId} and id = any(${ids as string[]}::text[])`;
  return new Set(rows.map(({ id }) => id));
}

/** Total bytes of a project's images; locks out other additions until the transaction ends. */
export async function heldImageBytes(tx: Transaction, projectId: string): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`images ${projectId}`}, 0))`;
  return (
    (await firstValue(tx<{ bytes: number }[]>`
    select coalesce(sum(octet_length(bytes)), 0)::bigint as bytes from images where project_id = ${projectId}`)) ?? 0
  );
}

/** Stores images; existing ones are not changed. Returns how many are new. */
export async function insertImages(tx: Transaction, projectId: string, images: readonly Image[]): Promise<number> {
  let added = 0;
  for (const { id, type, width, height, bytes } of images) {
    const rows = await tx<{ id: string }[]>`
      insert into images (id, project_id, type, width, height, bytes) values (${id}, ${projectId}, ${type}, ${width}, ${height}, ${bytes})
      on conflict do nothing returning id`;
    added += rows.length;
  }
  return added;
}

/** These images of a project, in the order of their ids. */
export const loadImages = (sql: Sql, projectId: string, ids: readonly string[]): Promise<Image[]> =>
  sql<Image[]>`
    select id, type, width, height, bytes from images
    where project_id = ${projectId} and id = any(${ids as string[]}::text[]) order by id collate "C"`.execute();

/** An image by its id alone: its bytes are the same in every project. */
export const selectImage = (sql: Sql, id: string) =>
  firstRow(sql<Pick<Image, "type" | "bytes">[]>`select type, bytes from images where id = ${id} limit 1`);

/** The latest images of a project; only those of `ids` unless it is null. */
export const selectImages = (sql: Sql, projectId: string, ids: readonly string[] | null, limit: number): Promise<ImageRow[]> =>
  sql<ImageRow[]>`
    select id, type, width, height, created_at from images
    where project_id = ${projectId} and (${ids as string[] | null}::text[] is null or id = any(${ids as string[] | null}::text[])) order by created_at desc, id limit ${limit}::int`.execute();
