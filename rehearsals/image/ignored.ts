import { matchesGlob } from "node:path";

/** Whether a path of the build context is left out by a .dockerignore; the last line that matches it, or a folder around it, decides. */
export function readIgnored(text: string): (path: string) => boolean {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const rules = lines.map((line) => ({ isKept: line.startsWith("!"), pattern: line.replace(/^!/, "").replace(/\/$/, "") }));
  return (path) => {
    const parts = path.split("/");
    const around = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
    const deciding = rules.findLast(({ pattern }) => around.some((one) => matches(one, pattern)));
    return deciding !== undefined && !deciding.isKept;
  };
}

/** A star also matches names that begin with a dot. */
const matches = (path: string, pattern: string): boolean => (pattern === "*" ? !path.includes("/") : matchesGlob(path, pattern));
