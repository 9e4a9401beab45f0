/** As it was taken. */
const UPRIGHT = 1;
const ORIENTATION = 0x0112;
const SHORT = 3;

/** The EXIF orientation of a picture: 1 to 8; 1 if absent. `tiff` is the block without its name. */
export function orientationIn(tiff: Buffer): number {
  const isLittle = tiff.toString("latin1", 0, 4) === "II*\0";
  if (!isLittle && tiff.toString("latin1", 0, 4) !== "MM\0*") return UPRIGHT;
  const uint16 = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const uint32 = (at: number) => (at + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = uint32(4);
  for (let entry = 0; entry < uint16(directory); entry++) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) return UPRIGHT;
    if (uint16(at) !== ORIENTATION) continue;
    const value = uint16(at + 8);
    return uint16(at + 2) === SHORT && value >= 1 && value <= 8 ? value : UPRIGHT;
  }
  return UPRIGHT;
}

/** An EXIF block with only the orientation; null for the default. */
export function exifWith(orientation: number): Buffer | null {
  if (orientation === UPRIGHT) return null;
  // Big-endian; one directory, at 8, with one entry; no directory after it.
  const bytes = Buffer.from("4d4d002a00000008000101120003000000010000000000000000", "hex");
  bytes.writeUInt16BE(orientation, 18);
  return bytes;
}
