import { describe, expect, it, test } from "vitest";
import { exifWith, orientationIn, withoutMetadata } from "./metadata.ts";

const text = (words: string) => Buffer.from(words, "latin1");
const joined = (...parts: (Buffer | string)[]) => Buffer.concat(parts.map((part) => (typeof part === "string" ? text(part) : part)));

/** Private metadata that must be removed. */
const SECRET = "52.3676N 4.9041E";

/** An EXIF block with an orientation among other entries. */
function exif(orientation: number, order: "II" | "MM" = "II"): Buffer {
  const u16 = (value: number) => (order === "II" ? Buffer.of(value & 255, value >> 8) : Buffer.of(value >> 8, value & 255));
  const u32 = (value: number) => (order === "II" ? joined(u16(value), u16(0)) : joined(u16(0), u16(value)));
  const entry = (tag: number, type: number, count: number, value: Buffer) => joined(u16(tag), u16(type), u32(count), value);
  return joined(
    order,
    u16(42),
    u32(8),
    u16(3),
    entry(0x010f, 2, 16, u32(50)),
    entry(0x0112, 3, 1, joined(u16(orientation), u16(0))),
    entry(0x0132, 2, 16, u32(50)),
    u32(0),
    SECRET,
  );
}

describe("a PNG", () => {
  const chunk = (name: string, data: Buffer | string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return joined(length, name, data, "crc!");
  };
  const png = (...chunks: Buffer[]) => joined("\x89PNG\r\n\x1a\n", ...chunks);
  const [head, colours, data, end] = [chunk("IHDR", "13 bytes long"), chunk("iCCP", "sRGB"), chunk("IDAT", "pixels"), chunk("IEND", "")];

  it("keeps the image data byte for byte, and no metadata", () => {
    const sent = png(
      ...[head, chunk("tEXt", SECRET), colours, chunk("eXIf", exif(6)), chunk("zTXt", SECRET), chunk("prVW", SECRET), data],
      ...[chunk("iTXt", `XML:com.adobe.xmp ${SECRET}`), chunk("tIME", SECRET), end, text(SECRET)],
    );
    expect(withoutMetadata("image/png", sent)).toEqual(png(head, colours, data, end));
    expect(withoutMetadata("image/png", png(head, colours, data, end))).toEqual(png(head, colours, data, end));
  });

  test.each([
    ["a chunk that is cut off", png(head, data, end).subarray(0, -3)],
    ["no end", png(head, data)],
    ["a chunk without a name", png(head, chunk("\0\0\0\0", ""), end)],
  ])("with %s is none", (_, bytes) => expect(withoutMetadata("image/png", bytes)).toBeNull());
});

describe("a JPEG", () => {
  const segment = (marker: number, data: Buffer | string) => joined(Buffer.of(0xff, marker, 0, data.length + 2), data);
  const [start, end] = [Buffer.of(0xff, 0xd8), Buffer.of(0xff, 0xd9)];
  const jfif = segment(0xe0, "JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
  const frame = segment(0xc0, "frame");
  const tables = segment(0xc4, "huffman");
  const colours = segment(0xe2, "ICC_PROFILE\0\x01\x01profile");
  const adobe = segment(0xee, "Adobe\0d");
  /** Scan data with an escaped FF and a restart marker. */
  const scan = joined(segment(0xda, "scan"), Buffer.of(1, 0xff, 0, 2, 0xff, 0xd0, 3));

  it("keeps the image data byte for byte, and neither metadata nor anything after its end", () => {
    const sent = joined(
      ...[start, jfif, segment(0xe1, joined("Exif\0\0", exif(1))), segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${SECRET}`)],
      ...[segment(0xed, `Photoshop 3.0\0${SECRET}`), segment(0xfe, SECRET), colours, segment(0xe2, `MPF\0${SECRET}`), adobe],
      ...[frame, tables, scan, tables, segment(0xfe, SECRET), scan, end, start, SECRET],
    );
    const kept = joined(start, jfif, colours, adobe, frame, tables, scan, tables, scan, end);
    expect(withoutMetadata("image/jpeg", sent)).toEqual(kept);
    expect(withoutMetadata("image/jpeg", kept)).toEqual(kept);
  });

  test.each(["II", "MM"] as const)("that is to be turned (%s) stays so, and says nothing else", (order) => {
    const sent = joined(start, segment(0xe1, joined("Exif\0\0", exif(6, order))), jfif, frame, scan, end);
    const kept = withoutMetadata("image/jpeg", sent)!;
    const block = segment(0xe1, joined("Exif\0\0", exifWith(6)!));
    expect(kept).toEqual(joined(start, block, jfif, frame, scan, end));
    expect(block).toHaveLength(36);
    expect(withoutMetadata("image/jpeg", kept)).toEqual(kept);
  });

  it("loses the preview in its first block", () => {
    const preview = segment(0xe0, joined("JFIF\0\x01\x01\0\0\x01\0\x01\x02\x02", SECRET));
    expect(withoutMetadata("image/jpeg", joined(start, preview, frame, scan, end))).toEqual(joined(start, jfif, frame, scan, end));
  });

  test.each([
    ["without anything drawn", joined(start, frame, end.subarray(0, 1))],
    ["with a part that is cut off", joined(start, frame, tables.subarray(0, -2))],
    ["with something between its parts", joined(start, frame, "no marker", scan, end)],
  ])("%s is none", (_, bytes) => expect(withoutMetadata("image/jpeg", bytes)).toBeNull());

  it("a truncated image keeps its scan data", () => {
    expect(withoutMetadata("image/jpeg", joined(start, segment(0xfe, SECRET), frame, scan))).toEqual(joined(start, frame, scan));
  });
});

describe("a WebP", () => {
  const chunk = (name: string, data: Buffer | string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    return joined(name, length, data, Buffer.alloc(data.length % 2));
  };
  const webp = (...chunks: Buffer[]) => {
    const file = chunk("RIFF", joined("WEBP", ...chunks));
    return file;
  };
  const extended = (flags: number) => chunk("VP8X", joined(Buffer.of(flags, 0, 0, 0), "sizes."));
  const [colours, data] = [chunk("ICCP", "sRGB"), chunk("VP8 ", "odd")];

  it("keeps the image data and no metadata, and marks that in its header", () => {
    const sent = joined(webp(extended(0x3c), colours, data, chunk("EXIF", exif(1)), chunk("XMP ", SECRET), chunk("mine", SECRET)), SECRET);
    const kept = webp(extended(0x30), colours, data);
    expect(withoutMetadata("image/webp", sent)).toEqual(kept);
    expect(withoutMetadata("image/webp", kept)).toEqual(kept);
  });

  test.each(["", "Exif\0\0"])("that is to be turned stays so, and says nothing else", (name) => {
    const sent = webp(extended(0x08), data, chunk("EXIF", joined(name, exif(8, "MM"))));
    const kept = webp(extended(0x08), data, chunk("EXIF", exifWith(8)!));
    expect(withoutMetadata("image/webp", sent)).toEqual(kept);
    expect(withoutMetadata("image/webp", kept)).toEqual(kept);
  });

  it("with a part that claims to be longer than the file is rejected", () => {
    const broken = webp(data, chunk("VP8 ", "more"));
    broken.writeUInt32LE(400, broken.length - 8);
    expect(withoutMetadata("image/webp", broken)).toBeNull();
  });
});

test("the orientation is read from the metadata, and upright by default", () => {
  for (const value of [1, 2, 3, 4, 5, 6, 7, 8]) {
    expect([orientationIn(exif(value)), orientationIn(exif(value, "MM"))]).toEqual([value, value]);
    expect(orientationIn(exifWith(value) ?? Buffer.alloc(0))).toBe(value);
  }
  for (const block of [
    Buffer.alloc(0),
    exif(0),
    exif(9),
    exif(6).subarray(0, 20),
    text("II*\0\xff\xff\xff\xff"),
    text("II*\0\xff\xff\xff\x7f"),
  ])
    expect(orientationIn(block)).toBe(1);
});
