"use client";

/** Where a picture is shown from: its own address, or ours for one that was uploaded; null for neither. */
export function shownImage(image: string): string | null {
  if (/^https?:\/\/\S+$/i.test(image)) return image;
  return image !== "" && !image.includes("/") && !image.includes(":") ? `/images/${encodeURIComponent(image)}` : null;
}

/** Takes a picture from the person's own disk. */
export function ImageUpload(_: { slot: string; onUploaded(image: string): void }) {
  return null;
}
