import type { Language } from "./highlight.ts";
import { csharpOf } from "./languages/csharp.ts";
import { curlOf } from "./languages/curl.ts";
import { goOf } from "./languages/go.ts";
import { javaOf } from "./languages/java.ts";
import { phpOf } from "./languages/php.ts";
import { pythonOf } from "./languages/python.ts";
import { rubyOf } from "./languages/ruby.ts";
import { typescriptOf } from "./languages/typescript.ts";
import type { Piece } from "./piece.ts";
import type { ShownRequest } from "./request.ts";

/** A language that requests are shown in. */
export interface RequestLanguage {
  /** As its tab says. */
  name: string;
  /**
   * A program that makes the request with the key in the environment variable KEY, and prints the status and the body of the response; curl
   * prints the body only.
   */
  codeOf(request: ShownRequest, baseUrl: string): Piece[];
}

type Write = (request: ShownRequest, baseUrl: string) => string;

const inOne = (name: string, language: Language, write: Write): RequestLanguage => ({
  name,
  codeOf: (request, baseUrl) => [{ language, code: write(request, baseUrl) }],
});

/** All are generated from the same data; none needs a library. The first is the default. */
export const LANGUAGES: readonly RequestLanguage[] = [
  { name: "curl", codeOf: curlOf },
  inOne("TypeScript", "typescript", typescriptOf),
  inOne("Python", "python", pythonOf),
  inOne("Go", "go", goOf),
  inOne("Java", "java", javaOf),
  inOne("C#", "csharp", csharpOf),
  inOne("PHP", "php", phpOf),
  inOne("Ruby", "ruby", rubyOf),
];
