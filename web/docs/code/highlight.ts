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

/** A stretch of code of one colour: a class of docs.css, or none. */
export interface Stretch {
  text: string;
  className: string | undefined;
}

const THEME = createCssVariablesTheme({ name: "docs", variablePrefix: "--" });

const highlighter = createHighlighterCoreSync({
  themes: [THEME],
  langs: [csharp, go, java, json, php, python, ruby, shell, typescript],
  engine: createJavaScriptRegexEngine(),
});

/** What the theme's colours mean here; everything else is in the colour of the text. */
const CLASSES: Readonly<Record<string, string>> = {
  "var(--token-constant)": "code-number",
  "var(--token-string)": "code-text",
  "var(--token-string-expression)": "code-text",
  "var(--token-link)": "code-text",
  "var(--token-comment)": "code-comment",
  "var(--token-keyword)": "code-keyword",
  "var(--token-function)": "code-function",
};

/** Most code is the same at each request; what shows the time is not. */
const known = new LRUCache<string, Stretch[]>({ max: 500 });

/** Code in stretches of one colour. */
export function highlight(code: string, language: Language): Stretch[] {
  if (language === "text") return [{ text: code, className: undefined }];
  const key = `${language} ${code}`;
  const stretches = known.get(key) ?? stretchesOf(tokensOf(code, language === "shell" ? "shellscript" : language), language);
  known.set(key, stretches);
  return stretches;
}

/** Without a limit of time: the first code of a language takes longest, and what a limit breaks off would stay half coloured. */
const tokensOf = (code: string, lang: string): ThemedToken[][] =>
  highlighter.codeToTokensBase(code, { lang, theme: "docs", tokenizeTimeLimit: 0 });

function stretchesOf(lines: ThemedToken[][], language: Language): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [index, line] of lines.entries()) {
    const tokens = line.map(({ content, color = "" }) => ({ text: content, className: classOf(color, language) }));
    if (index > 0) tokens.unshift({ text: "\n", className: undefined });
    for (const token of tokens) {
      const last = stretches.at(-1);
      // What has no colour of its own to show goes with what stands before it.
      if (last && (last.className === token.className || token.text.trim() === "")) last.text += token.text;
      else stretches.push(token);
    }
  }
  return stretches;
}

/** The names of members are what is looked for in JSON; shiki gives them the colour of keywords. */
const classOf = (color: string, language: Language): string | undefined =>
  language === "json" && color === "var(--token-keyword)" ? "code-name" : CLASSES[color];
