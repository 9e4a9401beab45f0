/** Images of a definition by slot: an absolute URL, or the id of one that was uploaded (the SHA-256 of its bytes). */
export type Images = Readonly<Record<string, string>>;

/** Cannot be a URL. */
export const IMAGE_ID = /^[0-9a-f]{64}$/;

/** The address that serves an uploaded image; a URL stays as it is. */
export const imageUrl = (image: string, baseUrl: string): string => (IMAGE_ID.test(image) ? `${baseUrl}/images/${image}` : image);

/** A row of a response with image URLs instead of ids. */
export function withImageUrls<Row extends { images: Images }>(row: Row, baseUrl: string): Row {
  const images = Object.entries(row.images);
  if (!images.some(([, image]) => IMAGE_ID.test(image))) return row;
  return { ...row, images: Object.fromEntries(images.map(([slot, image]) => [slot, imageUrl(image, baseUrl)])) };
}
