// node scripts/pictures.mjs: regenerates the icons and pictures in public/ from app/icon.svg and the texts below.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { ensureChromium } from "./chromium.mjs";

const BLUE = "#2f55d4";
const icon = readFileSync("app/icon.svg", "utf8");
/** Phones mask icons: the logo keeps clear of the edge, and the background has square corners. */
const maskable = icon.replace('rx="8" ', "").replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40" style="background:#2f55d4"');

const fonts = join(dirname(createRequire(import.meta.url).resolve("@fontsource-variable/inter/index.css")), "files");
const inter = readFileSync(join(fonts, "inter-latin-wght-normal.woff2")).toString("base64");
const STYLE = `
  @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${inter}) format("woff2") }
  * { margin: 0; box-sizing: border-box; font-family: Inter }
  body { background: #fff; color: #16181d }
  .social { width: 1200px; height: 630px; padding: 96px; display: flex; flex-direction: column; justify-content: space-between;
    background: #1c2f7a; color: #fff }
  .social h1 { font-size: 84px; letter-spacing: -0.03em; font-weight: 700; margin-top: 40px }
  .social p { font-size: 36px; line-height: 1.4; opacity: .86; max-width: 900px }
  .social svg { width: 88px; height: 88px }
  .how { width: 1200px; height: 400px; padding: 36px; display: grid; grid-template-columns: 220px 56px 1fr 56px 260px; align-items: center; background: #f6f7fb }
  .card { background: #fff; border: 1px solid #dfe3ee; border-radius: 16px; padding: 22px }
  .card h2 { font-size: 19px; letter-spacing: -.01em } .card p { color: #565d6d; font-size: 15px; line-height: 1.5; margin-top: 6px }
  .service { border: 2px solid ${BLUE}; padding: 22px; display: grid; gap: 12px }
  .row { display: grid; grid-template-columns: repeat(4, 1fr); gap: 10px }
  .row div { background: #eef2ff; border-radius: 10px; padding: 12px 10px; font-size: 14.5px; font-weight: 600; color: #22346f }
  .row div span { display: block; font-weight: 400; color: #565d6d; font-size: 13px; margin-top: 4px; line-height: 1.35 }
  .arrow { text-align: center; font-size: 34px; color: ${BLUE} }
  code { font: 13px ui-monospace, monospace; color: #22346f }`;

const SOCIAL = `<div class="social">${icon}<div><h1>Engagement service</h1></div>
  <p>Missions, points, a shop, leaderboards and streaks for the players of your product. Counted exactly, paid once, explained.</p></div>`;

const HOW = `<div class="how">
  <div class="card"><h2>Your backend</h2><p>sends what players do</p><p><code>POST /v1/events</code></p></div>
  <div class="arrow">→</div>
  <div class="card service"><h2>Engagement service</h2>
    <div class="row"><div>Missions<span>7 of 10 coffees</span></div><div>Streaks<span>12 days</span></div><div>Boards<span>rank 3 of 4,120</span></div><div>Points<span>balance 240</span></div></div>
    <p>One transaction for an event and all it moves. Staff author the rules in the dashboard; the Sandbox has a clock that moves.</p></div>
  <div class="arrow">→</div>
  <div style="display:grid;gap:14px"><div class="card"><h2>Your product</h2><p>shows progress, ranks and the shop</p><p><code>POST /v1/missions</code></p></div>
    <div class="card"><h2>Signed webhooks</h2><p>tell your systems what to hand out</p></div></div></div>`;

const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();

/** A picture of the given size in pixels. */
async function picture(width, height, html) {
  await page.setViewportSize({ width, height });
  await page.setContent(`<style>${STYLE}</style>${html}`);
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ omitBackground: true, clip: { x: 0, y: 0, width, height }, scale: "css" });
}
const icons = (svg, size) =>
  picture(size, size, `<style>body{background:transparent} svg{width:${size}px;height:${size}px;display:block}</style>${svg}`);

writeFileSync("public/icon-192.png", await icons(icon, 192));
writeFileSync("public/icon-512.png", await icons(icon, 512));
writeFileSync("public/icon-maskable-512.png", await icons(maskable, 512));
writeFileSync("public/apple-touch-icon.png", await icons(maskable, 180));
writeFileSync("public/favicon.ico", asIco(await icons(icon, 32), 32));
writeFileSync("public/social.png", await picture(1200, 630, SOCIAL));
writeFileSync("public/how-it-works.png", await picture(1200, 400, HOW));
await browser.close();

/** An .ico file with one PNG in it: a header, one entry, and the picture as it is. */
function asIco(png, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(22, 18);
  return Buffer.concat([head, png]);
}
