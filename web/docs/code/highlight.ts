import csharp from "shiki/langs/csharp.mjs";
import go from "shiki/langs/go.mjs";
import java from "shiki/langs/java.mjs";
import json from "shiki/langs/json.mjs";
import php from "shiki/langs/php.mjs";
import python from "shiki/langs/python.mjs";
import ruby from "shiki/langs/ruby.mjs";
import shell from "shiki/langs/shellscript.mjs";
import typescript from "shiki/langs/typescript.mjs";
import { LRUCache } from "lru-cache";
import { createCssVariablesTheme, createHighlighterCoreSync, type ThemedToken } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

export type Language = "json" | "shell" | "typescript" | "python" | "go" | "java" | "csharp" | "php" | "ruby" | "text";

/** A token of highlighted code: its classes, or none. */
export interface CodeToken {
  text: string;
  className: string | undefined;
}

const THEME = createCssVariablesTheme({ name: "docs", variablePrefix: "--" });

const highlighter = createHighlighterCoreSync({
  themes: [THEME],
  langs: [csharp, go, java, json, php, python, ruby, shell, typescript],
  engine: createJavaScriptRegexEngine(),
});

/** The theme's colours by meaning; the rest has the text's colour. */
const CLASSES: Readonly<Record<string, string>> = {
  "var(--token-constant)": "text-(--code-number)",
  "var(--token-string)": "text-(--code-text)",
  "var(--token-string-expression)": "text-(--code-text)",
  "var(--token-link)": "text-(--code-text)",
  "var(--token-comment)": "text-(--code-comment) italic",
  "var(--token-keyword)": "text-(--code-keyword)",
  "var(--token-function)": "text-(--code-function)",
};

/** Most code is the same in each request and cached; code with the current time is not. */
const known = new LRUCache<string, CodeToken[]>({ max: 500 });

export function highlight(code: string, language: Language): CodeToken[] {
  if (language === "text") return [{ text: code, className: undefined }];
  const key = `${language} ${code}`;
  const stretches = known.get(key) ?? stretchesOf(tokensOf(code, language === "shell" ? "shellscript" : language), language);
  known.set(key, stretches);
  return stretches;
}

/** Without a time limit: a language's first code takes longest, and a limit would leave it half highlighted. */
const tokensOf = (code: string, lang: string): ThemedToken[][] =>
  highlighter.codeToTokensBase(code, { lang, theme: "docs", tokenizeTimeLimit: 0 });

function stretchesOf(lines: ThemedToken[][], language: Language): CodeToken[] {
  const stretches: CodeToken[] = [];
  for (const [index, line] of lines.entries()) {
    const tokens = line.map(({ content, color = "" }) => ({ text: content, className: classOf(color, language) }));
    if (index > 0) tokens.unshift({ text: "\n", className: undefined });
    for (const token of tokens) {
      const last = stretches.at(-1);
      // Whitespace joins the preceding token.
      if (last && (last.className === token.className || token.text.trim() === "")) last.text += token.text;
      else stretches.push(token);
    }
  }
  return stretches;
}

/** In JSON, readers look for member names; shiki colours them like keywords. */
const classOf = (color: string, language: Language): string | undefined =>
  language === "json" && color === "var(--token-keyword)" ? "text-(--code-name)" : CLASSES[color];
