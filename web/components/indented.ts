/** JSON text, complete or truncated, with line breaks between members; numbers stay verbatim. */
export function indented(body: string): string {
  let depth = 0;
  return body.replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g, (token, at: number) => {
    const next = body[at + 1];
    if (token === ":") return ": ";
    if (token === ",") return `,\n${"  ".repeat(depth)}`;
    if (token === "{" || token === "[") return next === "}" || next === "]" ? token : `${token}\n${"  ".repeat(++depth)}`;
    if (token === "}" || token === "]") return body[at - 1] === "{" || body[at - 1] === "[" ? token : `\n${"  ".repeat(--depth)}${token}`;
    return token;
  });
}
