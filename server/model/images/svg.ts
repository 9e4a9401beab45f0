import sanitize from "sanitize-html";

/**
 * Uploaded SVGs are shown in other users' pages: an allowlist keeps only elements that draw. No scripts, no event handlers, no external
 * references, no foreign markup.
 */
const TAGS = words(`
  svg g defs symbol use switch title desc style
  path rect circle ellipse line polyline polygon text tspan textPath image
  marker pattern mask clipPath linearGradient radialGradient stop
  filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`);

const ATTRIBUTES = words(`
  xmlns xmlns:xlink xml:space version viewBox preserveAspectRatio id class style transform transform-origin role aria-label aria-hidden
  x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points pathLength width height dx dy rotate textLength lengthAdjust startOffset
  fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
  stroke-dasharray stroke-dashoffset vector-effect paint-order opacity color display visibility overflow clip-path clip-rule
  clipPathUnits mask maskUnits maskContentUnits mask-type filter filterUnits primitiveUnits marker-start marker-mid marker-end
  markerWidth markerHeight markerUnits refX refY orient offset stop-color stop-opacity gradientUnits gradientTransform
  spreadMethod patternUnits patternContentUnits patternTransform href xlink:href
  font-family font-size font-style font-weight font-variant font-stretch letter-spacing word-spacing text-anchor
  text-decoration dominant-baseline alignment-baseline baseline-shift writing-mode text-rendering shape-rendering
  image-rendering color-interpolation color-interpolation-filters mix-blend-mode isolation
  in in2 result mode type values tableValues slope intercept amplitude exponent k1 k2 k3 k4 operator order kernelMatrix divisor
  bias targetX targetY edgeMode preserveAlpha surfaceScale diffuseConstant specularConstant specularExponent lighting-color
  flood-color flood-opacity scale xChannelSelector yChannelSelector azimuth elevation pointsAtX pointsAtY pointsAtZ z
  limitingConeAngle stdDeviation radius baseFrequency numOctaves seed stitchTiles`);

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

const NAMESPACES: Record<string, string> = { xmlns: "http://www.w3.org/2000/svg", "xmlns:xlink": "http://www.w3.org/1999/xlink" };

/** Elements whose content is dropped as well. */
const WITHOUT_TEXT = words("script foreignObject metadata iframe object embed audio video canvas math animate set");

const OPTIONS: sanitize.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: { "*": ATTRIBUTES },
  allowedSchemes: ["http", "https", "data"],
  nonTextTags: WITHOUT_TEXT,
  parseStyleAttributes: false,
  // Style sheets are kept here: bad ones are removed afterwards.
  allowVulnerableTags: true,
  parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false, decodeEntities: true },
  // Every element is written with an end tag: `withHarmlessStyles` relies on it.
  selfClosing: [],
  transformTags: { "*": (tagName, attributes) => ({ tagName, attribs: harmless(tagName, attributes) }) },
};

/** How many elements, attributes, entities and references an SVG may have in all: each costs some microseconds of blocking work. */
export const MAX_PARTS = 20_000;

/** The number of such parts in an SVG. */
export function countSvgParts(source: string): number {
  let parts = 0;
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === LESS_THAN || code === EQUALS || code === AMPERSAND || code === PARENTHESIS) parts += 1;
  }
  return parts;
}

const LESS_THAN = 60;
const EQUALS = 61;
const AMPERSAND = 38;
const PARENTHESIS = 40;

/** How many passes it may take to reach a fixed point; an SVG that still changes is rejected. */
const ROUNDS = 5;

/** The sanitized SVG as a standalone file; null if it is not an SVG. Idempotent. */
export function safeSvg(source: string): string | null {
  let text = source;
  for (let round = 0; round < ROUNDS; round++) {
    const cleaned = cleanedOnce(text);
    if (cleaned === null || cleaned === text) return cleaned;
    text = cleaned;
  }
  return null;
}

function cleanedOnce(source: string): string | null {
  const cleaned = withHarmlessStyles(sanitized(source) ?? "");
  const start = cleaned.indexOf("<");
  const end = cleaned.lastIndexOf(END);
  return /^<svg[ >]/.test(cleaned.slice(start, start + 5)) && end >= 0 ? cleaned.slice(start, end + END.length) : null;
}

const END = "</svg>";

/** How deep an SVG may be nested: the parser searches all open elements at each end tag. */
const MAX_DEPTH = 256;

class TooDeep extends Error {}

/** The SVG with allowed elements only; null if nested too deep. */
function sanitized(source: string): string | null {
  let depth = 0;
  const onOpenTag = () => {
    if (++depth > MAX_DEPTH) throw new TooDeep();
  };
  try {
    return sanitize(source, { ...OPTIONS, onOpenTag, onCloseTag: () => depth-- });
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

/** Removes style sheets with external references. Each has an end tag, written by the sanitizer. */
function withHarmlessStyles(source: string): string {
  let kept = "";
  let from = 0;
  for (let start = source.indexOf("<style"); start >= 0; start = source.indexOf("<style", from)) {
    const css = source.indexOf(">", start) + 1;
    const end = source.indexOf("</style>", css);
    if (css === 0 || end < 0) break;
    kept += source.slice(from, isHarmlessCss(source.slice(css, end)) ? end + "</style>".length : start);
    from = end + "</style>".length;
  }
  return kept + source.slice(from);
}

function harmless(tagName: string, attributes: sanitize.Attributes): sanitize.Attributes {
  const kept = Object.entries(attributes).filter(([name, value]) => isHarmless(tagName, name, value));
  // A standalone SVG needs its namespace.
  return tagName === "svg" ? { ...Object.fromEntries(kept), ...NAMESPACES } : Object.fromEntries(kept);
}

function isHarmless(tagName: string, name: string, value: string): boolean {
  if (name in NAMESPACES) return tagName === "svg";
  if (name === "href" || name === "xlink:href")
    return /^#[^\s<]+$/.test(value) || (tagName === "image" && /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=\s]*$/.test(value));
  return isHarmlessCss(value);
}

/** Whether a style sheet only refers to fragments of the same SVG. */
function isHarmlessCss(css: string): boolean {
  if (/[\\<&]|@import|expression\s*\(|javascript:|-moz-binding|behavior\s*:/i.test(css)) return false;
  for (const { 0: named, index } of css.matchAll(/(?:url|image-set|src)\s*\(/gi)) {
    LOCAL_PLACE.lastIndex = index + named.length;
    if (named.toLowerCase() !== "url(" || !LOCAL_PLACE.test(css)) return false;
  }
  return true;
}

const LOCAL_PLACE = /\s*(?:"#[^()"']*"|'#[^()"']*'|#[^()"'\s]*)\s*\)/y;
