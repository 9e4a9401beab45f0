import { type Database, transact } from "../../../db/client.ts";
import { IMAGE_ID } from "../../kernel/images.ts";
import type { Environment } from "../../kernel/environment.ts";
import type { Actor } from "../../kernel/roles.ts";
import { recordChange } from "../../projects/service.ts";
import { type Image, imageOf } from "../images.ts";
import { type ImageRow, insertImages, selectImage, selectImages } from "../store/images.ts";

export type { ImageRow } from "../store/images.ts";

/** Keeps an image for both environments of a project; the same bytes again are the same image. What is wrong with them, in words. */
export async function uploadImage(
  database: Database,
  { projectId }: Environment,
  sent: Buffer,
  actor: Actor,
): Promise<Omit<Image, "bytes"> | string> {
  const image = imageOf(sent);
  if (typeof image === "string") return image;
  const { bytes: _, ...shown } = image;
  await transact(database, async (tx) => {
    if ((await insertImages(tx, projectId, [image])) === 0) return;
    const subject = { subjectKind: "image", subjectKey: image.id, difference: null };
    await recordChange(tx, { projectId, environmentId: null, actor, action: "create", ...subject });
  });
  return shown;
}

/** The bytes of an image and what they are; null where nobody has uploaded it. */
export const findImage = ({ sql }: Database, id: string): Promise<Pick<Image, "type" | "bytes"> | null> =>
  IMAGE_ID.test(id) ? selectImage(sql, id) : Promise.resolve(null);

const MOST_LISTED = 200;

/** The latest images of a project, to choose from again. */
export const listImages = ({ sql }: Database, { projectId }: Environment): Promise<ImageRow[]> => selectImages(sql, projectId, MOST_LISTED);
