/** A PNG of this size and length, not decodable. `said` is a text in it. */
export function png(width: number, height: number, length = 60, said = ""): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    return Buffer.concat([head, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  const sides = Buffer.alloc(13);
  sides.writeUInt32BE(width, 0);
  sides.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", sides),
    ...(said === "" ? [] : [chunk("tEXt", Buffer.from(said))]),
    chunk("IDAT", Buffer.alloc(length - 57)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
