import { fileSentence } from "../../model/rules/file-words.ts";
import type { Mistake } from "../../model/rules/finding.ts";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { testDashboard } from "../../api/testing/dashboard.ts";
import type { Environment } from "../../model/kernel/environment.ts";
import { withImageUrls } from "../../model/kernel/texts.ts";
import { imageIdOf, imageOf, MAX_IMAGE, MAX_IMAGE_BYTES, quotaProblem } from "../../model/images/image.ts";
import { findImage, listImages, uploadImage } from "./service.ts";
import { safeSvg } from "../../model/images/svg.ts";
import { fileOf, mission, withMission, withMissions } from "../../model/definitions/testing/in-memory.ts";
import { loadEnvironment } from "../../engine/environment.ts";
import { exportDefinitions, importDefinitions, promoteDefinitions } from "../definitions/service/import.ts";
import { png } from "./testing.ts";

const refusalOf = (one: object): string => ("code" in one ? fileSentence(one as Mistake) : "");

const database = await testDatabase();
const ANN = { userId: null, name: "ann@example.com" };
const current = async ({ id }: Environment) => (await loadEnvironment(database.sql, id))!;

function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.alloc(12);
  frame.writeUInt16BE(0xffc2, 0);
  frame.writeUInt16BE(10, 2);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const scan = Buffer.of(0xff, 0xda, 0, 3, 1, 7, 7, 0xff, 0xd9);
  return Buffer.concat([Buffer.of(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc4, 0, 3, 9), frame, scan]);
}

function webp(form: string, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(32, 4);
  bytes.write(`WEBP${form}`, 8, "latin1");
  bytes.writeUInt32LE(20, 16);
  write(bytes);
  return bytes;
}

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`;
const drawing = (source: string) => Buffer.from(source);

describe("an accepted image", () => {
  test.each<[string, Buffer, object]>([
    ["PNG", png(20, 10), { type: "image/png", width: 20, height: 10 }],
    ["PNG with data after its end", Buffer.concat([png(20, 10), Buffer.alloc(100)]), { type: "image/png", bytes: png(20, 10) }],
    ["JPEG", jpeg(300, 200), { type: "image/jpeg", width: 300, height: 200 }],
    ["lossy WebP", webp("VP8 ", (b) => (b.writeUInt16LE(33, 26), b.writeUInt16LE(44, 28))), { type: "image/webp", width: 33, height: 44 }],
    ["lossless WebP", webp("VP8L", (b) => b.writeUInt32LE(32 | (43 << 14), 21)), { type: "image/webp", width: 33, height: 44 }],
    [
      "extended WebP",
      webp("VP8X", (b) => (b.writeUIntLE(32, 24, 3), b.writeUIntLE(43, 27, 3))),
      { type: "image/webp", width: 33, height: 44 },
    ],
    [
      "SVG",
      drawing(`\ufeff<?xml version="1.0"?>\n<!-- a --><svg width="24px" height="12.5"/>`),
      { type: "image/svg+xml", width: 24, height: 13 },
    ],
    ["SVG with a DOCTYPE", drawing(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg("")}`), { type: "image/svg+xml", width: null }],
  ])("is read from its bytes: %s", (_, bytes, kind) => expect(imageOf(bytes)).toMatchObject(kind));

  test.each<[string, Buffer, RegExp]>([
    ["nothing", Buffer.alloc(0), /must be a complete PNG/],
    ["a text", drawing("hello"), /must be a complete PNG/],
    ["HTML with a drawing in it", drawing(`<html>${svg("")}</html>`), /must be a complete PNG/],
    ["a GIF", drawing("GIF89a..........................................."), /must be a complete PNG/],
    ["a PNG that is cut off", png(20, 10).subarray(0, 40), /a complete PNG/],
    ["a WebP that is cut off", webp("VP8X", () => {}).subarray(0, 32), /a complete PNG/],
    ["a JPEG without a frame", jpeg(3, 2).subarray(0, 14), /a complete PNG/],
    ["more than 1 MiB", png(20, 10, MAX_IMAGE + 1), /at most 1 MiB; this has 1.1 MiB/],
    ["no width", png(0, 10), /1 to 8192 pixels/],
    ["sides without end", png(4_000_000_000, 4_000_000_000), /1 to 8192 pixels/],
    ["a drawing that is not UTF-8", Buffer.concat([drawing("<svg>"), Buffer.of(0xff)]), /must be a complete PNG/],
  ])("is refused where it is none: %s", (_, bytes, problem) => expect(refusalOf(imageOf(bytes))).toMatch(problem));
});

describe("a drawing", () => {
  test.each([
    svg(`<script>alert(1)</script><script href="https://evil.example/x.js"/>`),
    svg(`<path d="M0 0" onclick="alert(1)" ONLOAD="alert(2)"/>`),
    svg(`<a href="javascript:alert(1)"><text>x</text></a>`),
    svg(`<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="javascript:alert(1)"/></body></foreignObject>`),
    svg(`<use href="https://evil.example/a.svg#x"/><use xlink:href="data:image/svg+xml;base64,AAAA"/>`),
    svg(`<image href="https://evil.example/p.png"/><image href="data:image/svg+xml,&lt;svg onload=alert(1)&gt;"/>`),
    svg(`<set attributeName="href" to="javascript:alert(1)"/><animate attributeName="href" values="javascript:alert(1)"/>`),
    svg(`<style>@import url(https://evil.example/a.css);</style><style>*{background:url(https://evil.example)}</style>`),
    svg(`<style>&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;</style>`),
    svg(`<style><![CDATA[</style><script>alert(1)</script>]]></style>`),
    svg(
      `<style>a{b:u\\72l(https://evil.example)}</style><path style="fill:url(https://evil.example)" fill="url( https://evil.example )"/>`,
    ),
    svg(`<title>&lt;script&gt;alert(1)&lt;/script&gt;</title><desc><![CDATA[<script>alert(1)</script>]]></desc>`),
    `<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]>${svg("&x;")}`,
    `<?xml-stylesheet href="https://evil.example/a.css"?>${svg("")}`,
    `<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:script>alert(1)</svg:script></svg:svg>`,
    `<svg xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></svg>`,
    svg(`</svg><script>alert(1)</script><svg>`),
  ])("loses what runs or reaches outside: %s", (source) => {
    const safe = safeSvg(source);
    if (safe === null) return;
    expect(safe).not.toMatch(/<script|\son\w+=|javascript:|evil\.example|foreignObject|<iframe|<!|<\?|<a[ >]|<set|<animate|&x;|xhtml/i);
    expect(safe).toMatch(/^<svg [^]*<\/svg>$/);
  });

  it("keeps the drawing", () => {
    const whole = svg(
      `<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"></stop></linearGradient><clipPath id="c"><circle r="4"></circle></clipPath></defs>` +
        `<style>.cls-1{fill:url(#a)} g > path{stroke:red}</style><g clip-path="url(#c)" transform="rotate(45)"><path class="cls-1" d="M0 0h9v9z" style="opacity:.5"></path></g>` +
        `<use xlink:href="#c"></use><image href="data:image/png;base64,AAAA"></image><text x="1">A &amp; B &lt; C</text>`,
    );
    expect(safeSvg(whole)?.replace(/ xmlns(:\w+)?="[^"]*"/g, "")).toBe(whole.replace(/ xmlns(:\w+)?="[^"]*"/g, ""));
    expect(safeSvg(`<svg viewBox="0 0 1 1"><g/></svg>`)).toBe(
      `<svg viewBox="0 0 1 1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><g></g></svg>`,
    );
  });

  it("that is safe is not changed, so its id stays the same", () => {
    const piece = fc.constantFrom(
      ...[
        "<svg>",
        "</svg>",
        "<style>",
        "</style>",
        "<script>",
        "</script>",
        "<g ",
        "/>",
        ">",
        '"',
        "'",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "&lt;",
        "&amp;",
      ],
      ...[
        "&gt;",
        "a{b:c}",
        "url(#a)",
        "url(x)",
        " href=",
        "#a",
        " onload=x",
        "<text>",
        "</text>",
        "\n",
        "é",
        "&#60;",
        "<title>",
        "<path d='M0'/>",
        "&",
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const safe = safeSvg(svg(pieces.join("")));
        if (safe === null) return;
        expect(safeSvg(safe)).toBe(safe);
        expect(safe).not.toMatch(/<script|<!|<[^<>]*\sonload=/i);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("any upload is validated in time linear in its length", () => {
  const long = (text: string, head = "", tail = "") => drawing(head + text.repeat((MAX_IMAGE - 200) / text.length) + tail);
  const [open, close] = ["<svg>", "</svg>"];
  // Each of these once took seconds to hours; the test's timeout is far above what they take now.
  test.each<[string, Buffer]>([
    ["comments before nothing", long("<!---->")],
    ["document types", long("<!DOCTYPE a>")],
    ["document types that never end", long("<!DOCTYPE [")],
    ["spaces in a size", long(" ", "<svg width=", `>${close}`)],
    ["references that never end", long("url(#", `${open}<style>`, `</style>${close}`)],
    ["spaces in a reference", long(" ", `${open}<style>a{b:url(#`, `}</style>${close}`)],
    ["comments in a link", long("&lt;!----&gt;", `${open}<use href='#`, `'/>${close}`)],
    ["comments in a link as they are", long("<!---->", `${open}<use href='#`, `'/>${close}`)],
    ["drawings in drawings", long("<svg>")],
    ["ends of nothing, within much", drawing(open + "<g>".repeat(100_000) + "</x>".repeat(150_000) + close)],
    ["elements without number", long("<g/>", open, close)],
    ["ampersands", long("&", `${open}<text>`, `</text>${close}`)],
  ])("%s", (_, bytes) => {
    expect(bytes.length).toBeGreaterThan(MAX_IMAGE / 2);
    expect(imageOf(bytes)).toBeTypeOf("object");
  });

  it("a drawing that is nested too deeply or has too many elements is refused", () => {
    const nested = (depth: number) => `<svg>${"<g>".repeat(depth)}${"</g>".repeat(depth)}</svg>`;
    expect(safeSvg(nested(200))).toContain("<g>");
    expect(safeSvg(nested(300))).toBeNull();
    expect(refusalOf(imageOf(drawing(nested(300))))).toMatch(/cannot be made safe/);
    expect(refusalOf(imageOf(drawing(`<svg>${"<g/>".repeat(21_000)}</svg>`)))).toMatch(/too complicated/);
  });
});

describe("an uploaded image", () => {
  it("is kept once, under the hash of its bytes, and named in the audit log", async () => {
    const { sandbox, live } = await testProject(database);
    const bytes = png(20, 10);
    const image = await uploadImage(database, sandbox, bytes, ANN);
    expect(image).toEqual({ id: imageIdOf(bytes), type: "image/png", width: 20, height: 10 });
    expect(await uploadImage(database, live, bytes, ANN)).toEqual(image);
    expect(await findImage(database, imageIdOf(bytes))).toEqual({ type: "image/png", bytes });
    expect(await listImages(database, sandbox)).toMatchObject([image]);
    const log = await database.sql`select subject_key from audit_log where project_id = ${sandbox.projectId} and subject_kind = 'image'`;
    expect(log).toEqual([{ subjectKey: imageIdOf(bytes) }]);
  });

  it("is stored without metadata of place and author, under the id of the one without it", async () => {
    const { sandbox } = await testProject(database);
    const image = await uploadImage(database, sandbox, png(20, 10, 60, "GPS 52.3676"), ANN);
    expect(image).toEqual(await uploadImage(database, sandbox, png(20, 10), ANN));
    expect(await findImage(database, imageIdOf(png(20, 10)))).toMatchObject({ bytes: png(20, 10) });
    expect(await listImages(database, sandbox)).toHaveLength(1);
  });

  it("is refused if the project's quota is full, in either environment, with advice", async () => {
    const [{ sandbox, live }, others] = [await testProject(database), await testProject(database)];
    const most = 150;
    const upload = (environment: Environment, side: number) => uploadImage(database, environment, png(side, side), ANN, most);
    expect(await upload(sandbox, 1)).toHaveProperty("id");
    expect(await upload(live, 2)).toHaveProperty("id");
    expect(refusalOf(await upload(sandbox, 3))).toMatch(
      /at most 0.1 MiB are kept; use an image that is uploaded already, .* or host it elsewhere/,
    );
    expect(await upload(sandbox, 2)).toHaveProperty("id");
    expect(await upload(others.sandbox, 3)).toHaveProperty("id");
    const both = await Promise.all([4, 5, 6].map((side) => upload(others.sandbox, side)));
    expect(both.filter((one) => "code" in one)).toHaveLength(2);
    expect(refusalOf(quotaProblem(200 * 1024 * 1024 - 10, 11, MAX_IMAGE_BYTES)!)).toMatch(/to 200.1 MiB, and at most 200 MiB/);
    expect(quotaProblem(200 * 1024 * 1024 - 10, 10, MAX_IMAGE_BYTES)).toBeNull();
  });

  it("that is a drawing is kept as it was made safe", async () => {
    const { sandbox } = await testProject(database);
    const image = await uploadImage(database, sandbox, drawing(svg("<script>1</script><g/>")), ANN);
    if ("code" in image) throw new Error(image.code);
    const kept = (await findImage(database, image.id))!;
    expect(imageIdOf(Buffer.from(kept.bytes))).toBe(image.id);
    expect(kept.bytes.toString()).not.toContain("script");
  });

  it("that is invalid is refused with a message, and an unknown one is not found", async () => {
    const { sandbox } = await testProject(database);
    expect(refusalOf(await uploadImage(database, sandbox, drawing("x"), ANN))).toMatch(/must be a complete PNG/);
    expect(await findImage(database, "0".repeat(64))).toBeNull();
    expect(await findImage(database, "' or true --")).toBeNull();
  });
});

test("images, for which anyone may ask, leave connections to the screens; aborted requests wait for none, and few others do", async () => {
  const { sql } = database;
  const { dashboard } = testDashboard(database);
  const ask = (signal = new AbortController().signal) => dashboard.image("0".repeat(64), signal);
  const asked: Promise<unknown>[] = [];
  await sql.begin(async (tx) => {
    await tx`lock table images in access exclusive mode`;
    for (let at = 0; at < sql.options.max; at++) asked.push(ask());
    expect(await sql`select 1`).toHaveLength(1);
    const leaving = new AbortController();
    const aborted = Array.from({ length: 300 }, () => ask(leaving.signal));
    leaving.abort();
    expect(new Set(await Promise.all([...aborted, ask(AbortSignal.abort())]))).toEqual(new Set(["busy"]));
    for (let at = 0; at < 200; at++) asked.push(ask());
    expect(await ask()).toBe("busy");
  });
  expect(new Set(await Promise.all(asked.slice(0, sql.options.max)))).toEqual(new Set([null]));
});

describe("definitions with images", () => {
  const withImage = (id: string) => withMission({ images: { icon: id, badge: "https://example.com/b.png" } });
  const uploaded = async (environment: Environment, bytes: Buffer) => {
    const image = await uploadImage(database, environment, bytes, ANN);
    if ("code" in image) throw new Error(image.code);
    return image.id;
  };

  it("reference images of their project; others are a problem", async () => {
    const [ours, theirs] = [await testProject(database), await testProject(database)];
    const id = await uploaded(ours.sandbox, png(3, 3));
    expect(await importDefinitions(database, ours.sandbox, withImage(id))).toHaveProperty("changes");
    expect(await importDefinitions(database, theirs.sandbox, withImage(id))).toMatchObject({
      problems: [{ pointer: "/missions/0/images/icon", message: expect.stringContaining("there is no image") }],
    });
    expect(await promoteDefinitions(database, await current(ours.sandbox), await current(ours.live))).toHaveProperty("changes");
  });

  it("are promoted to another project with their bytes, unchanged", async () => {
    const [ours, theirs] = [await testProject(database), await testProject(database)];
    const id = await uploaded(ours.sandbox, drawing(svg("<g/>")));
    const unused = await uploaded(ours.sandbox, png(4, 4));
    await importDefinitions(database, ours.sandbox, withImage(id));
    const file = await exportDefinitions(database, ours.sandbox, { images: true });
    expect((file.images as { id: string }[]).map((image) => image.id)).toEqual([id]);
    expect(await importDefinitions(database, theirs.sandbox, file, { dryRun: true })).toHaveProperty("changes");
    expect(await exportDefinitions(database, theirs.sandbox, { images: true })).toMatchObject({ images: [] });
    expect(await importDefinitions(database, theirs.sandbox, file)).toHaveProperty("changes");
    expect(JSON.stringify(await exportDefinitions(database, theirs.sandbox, { images: true }))).toBe(JSON.stringify(file));
    expect(unused).not.toBe(id);
  });

  it("in a file are checked against their ids, and drawings in it are safe already", async () => {
    const { sandbox } = await testProject(database);
    const bad = drawing(svg("<script>1</script>"));
    const problems = async (images: unknown) => {
      const result = await importDefinitions(database, sandbox, fileOf({ images }));
      return "problems" in result ? result.problems.map(({ pointer }) => pointer) : [];
    };
    expect(await problems([{ id: "0".repeat(64), bytes: png(2, 2).toString("base64") }])).toEqual(["/images/0/id"]);
    expect(await problems([{ id: imageIdOf(bad), bytes: bad.toString("base64") }])).toEqual(["/images/0/bytes"]);
    expect(await problems([{ id: imageIdOf(drawing("x")), bytes: drawing("x").toString("base64") }])).toEqual(["/images/0/bytes"]);
    expect(await problems([{ id: "x", bytes: "%%" }, 5])).toEqual(["/images/0/id", "/images/0/bytes", "/images/1"]);
    expect(await problems([{ id: imageIdOf(png(2, 2)), bytes: png(2, 2).toString("base64") }])).toEqual([]);
    // A file's definitions reference an image by the hash of its bytes, so these are not changed.
    const said = png(2, 2, 60, "by somebody");
    expect(await problems([{ id: imageIdOf(said), bytes: said.toString("base64") }])).toEqual([]);
    expect(await findImage(database, imageIdOf(said))).toMatchObject({ bytes: said });
  });

  it("a definition that differs only in an image names the slot", async () => {
    const { sandbox } = await testProject(database);
    const ids = [await uploaded(sandbox, png(5, 5)), await uploaded(sandbox, png(6, 6))];
    await importDefinitions(database, sandbox, withImage(ids[0]!));
    expect(await importDefinitions(database, sandbox, withMissions(mission({ images: { icon: ids[1] } })))).toMatchObject({
      changes: [{ fields: ["images"] }],
    });
  });
});

it("rows of answers have addresses in place of ids, and URLs as they are", () => {
  const id = "a".repeat(64);
  const row = { images: { icon: id, badge: "https://example.com/b.png" }, name: "N" };
  expect(withImageUrls(row, "https://game.example.com")).toEqual({
    images: { icon: `https://game.example.com/images/${id}`, badge: "https://example.com/b.png" },
    name: "N",
  });
});
