import type { Mistake } from "../../model/rules/finding.ts";
import { type Database, transact, type Transaction } from "#db/client.ts";
import { recordChange } from "../../people/audit-log/record.ts";
import { IMAGE_ID } from "../../model/kernel/texts.ts";
import type { Environment, Actor } from "../../model/kernel/environment.ts";
import { type Image, imageOf, type ImageSize, MAX_IMAGE_BYTES, quotaProblem, sizeOf } from "../../model/images/image.ts";
import { heldImageBytes, type ImageRow, insertImages, knownImages, selectImage, selectImages } from "./store.ts";

export { type ImageRow, insertImages, knownImages, loadImages } from "./store.ts";

/** Stores an image for both environments of a project, without its metadata; the same bytes are the same image. */
export async function uploadImage(
  database: Database,
  { projectId }: Environment,
  sent: Buffer,
  actor: Actor,
  most = MAX_IMAGE_BYTES,
): Promise<Omit<Image, "bytes"> | Mistake> {
  const image = imageOf(sent);
  if ("code" in image) return image;
  const { bytes: _, ...shown } = image;
  return transact(database, async (tx) => {
    const refused = await overQuota(tx, projectId, [sizeOf(image)], most);
    if (refused !== null) return refused;
    if ((await insertImages(tx, projectId, [image])) === 0) return shown;
    const subject = { subjectKind: "image", subjectKey: image.id, difference: null };
    await recordChange(tx, { projectId, environmentId: null, actor, action: "create", ...subject });
    return shown;
  });
}

/** The problem with adding these images to a project; null if the quota allows them, or none is new. */
export async function overQuota(
  tx: Transaction,
  projectId: string,
  images: readonly ImageSize[],
  most = MAX_IMAGE_BYTES,
): Promise<Mistake | null> {
  const known = await knownImages(
    tx,
    projectId,
    images.map(({ id }) => id),
  );
  const added = new Map(images.filter(({ id }) => !known.has(id)).map(({ id, size }) => [id, size]));
  if (added.size === 0) return null;
  return quotaProblem(
    await heldImageBytes(tx, projectId),
    added.values().reduce((sum, size) => sum + size, 0),
    most,
  );
}

/** An image's bytes and type; null if unknown. */
export const findImage = ({ sql }: Database, id: string): Promise<Pick<Image, "type" | "bytes"> | null> =>
  IMAGE_ID.test(id) ? selectImage(sql, id) : Promise.resolve(null);

const MAX_LISTED = 200;

/** A project's latest images, for reuse; or those of `ids` that it has. */
export const listImages = ({ sql }: Database, { projectId }: Environment, ids: readonly string[] | null = null): Promise<ImageRow[]> =>
  selectImages(sql, projectId, ids, ids?.length ?? MAX_LISTED);
