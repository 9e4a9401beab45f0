import { relative } from "node:path";
import ts from "typescript";

/** The TypeScript types of a column, as far as PostgreSQL knows: `json` may be anything. */
export type Shape = "string" | "number" | "boolean" | "Date" | "json" | "null";

/** A statement of the code whose rows have a type: `sql<{ id: string }[]>`…``. */
export interface Statement {
  /** "server/game/points/store.ts:12". */
  at: string;
  /** With $1, $2 … for its parameters. */
  text: string;
  /** The types of the parameters according to TypeScript; null if unknown. */
  parameters: (string | null)[];
  /** Column → its declared types. Null: the statement's rows are untyped. */
  row: Map<string, Set<Shape>> | null;
}

/** Stands for a name that only a call knows: such a statement cannot be described. */
const UNKNOWN_NAME = "<unknown name>";

/**
 * Reads every statement of a program whose tables are known. Fragments are inlined; of a conditional, the longer branch is used, and of
 * `isSpread` the one for one server, which has no functions for several.
 */
export function readStatements(root: string): Statement[] {
  const config = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile).config as object;
  const { options, fileNames } = ts.parseJsonConfigFileContent({ ...config, include: ["server/**/*.ts", "db/**/*.ts"] }, ts.sys, root);
  const program = ts.createProgram(
    fileNames.filter((name) => !isTest(name)),
    options,
  );
  const checker = program.getTypeChecker();
  const statements: Statement[] = [];
  for (const source of program.getSourceFiles()) {
    const name = relative(root, source.fileName);
    if (source.isDeclarationFile || isTest(name) || !/^(server|db)\//.test(name)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node) && isSql(checker, node.tag) && !isFragment(checker, node)) {
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        const statement = read(checker, node, `${name}:${line}`);
        if (!statement.text.includes(UNKNOWN_NAME)) statements.push(statement);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return statements;
}

const isTest = (name: string): boolean => /([.]test[.]ts|\/testing([.]ts|\/)|\/access-)/.test(name);

/** Whether a template's tag is the query function of a pool or a transaction. */
const isSql = (checker: ts.TypeChecker, tag: ts.Expression): boolean =>
  checker.getTypeAtLocation(tag).getProperty("unsafe") !== undefined && checker.getTypeAtLocation(tag).getProperty("json") !== undefined;

/** Whether a template is a fragment: a value in another template, or the result of a function that returns fragments. */
function isFragment(checker: ts.TypeChecker, node: ts.Node): boolean {
  let at: ts.Node = node;
  while (ts.isParenthesizedExpression(at.parent) || ts.isConditionalExpression(at.parent)) at = at.parent;
  if (ts.isTemplateSpan(at.parent)) return true;
  const type = checker.getContextualType(at as ts.Expression);
  return /Fragment/.test(type === undefined ? "" : checker.typeToString(type)) || isOfParts(at);
}

/** `const columns = (sql: Sql) => sql`…``: a fragment, untyped and never awaited. */
function isOfParts(at: ts.Node): boolean {
  if (ts.isReturnStatement(at.parent) && ts.isBlock(at.parent.parent) && ts.isArrowFunction(at.parent.parent.parent))
    return ts.isVariableDeclaration(at.parent.parent.parent.parent) && !hasAsync(at.parent.parent.parent) && !isTyped(at);
  if (ts.isReturnStatement(at.parent)) return isFragmentFunction(at.parent) && !isTyped(at);
  if (ts.isArrowFunction(at.parent) && at.parent.body === at) return !hasAsync(at.parent) && !isTyped(at);
  return ts.isVariableDeclaration(at.parent) && !isTyped(at);
}

/** `function rows(sql: Sql) { if (…) return sql`…`; … }`: a function of fragments is neither async nor typed. */
function isFragmentFunction(at: ts.Node): boolean {
  const within = ts.findAncestor(at, ts.isFunctionLike);
  return within !== undefined && ts.isFunctionDeclaration(within) && within.type === undefined && !hasAsync(within);
}

const hasAsync = (node: ts.ArrowFunction | ts.FunctionDeclaration): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
const isTyped = (node: ts.Node): boolean => ts.isTaggedTemplateExpression(node) && node.typeArguments !== undefined;

function read(checker: ts.TypeChecker, node: ts.TaggedTemplateExpression, at: string): Statement {
  const parameters: (string | null)[] = [];
  const text = textOf(checker, node.template, parameters);
  const [rows] = node.typeArguments ?? [];
  return { at, text, parameters, row: rows === undefined ? null : rowOf(checker, rows) };
}

function textOf(checker: ts.TypeChecker, template: ts.TemplateLiteral, parameters: (string | null)[]): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  let text = template.head.text;
  for (const { expression, literal } of template.templateSpans) {
    const part = isUnsafe(expression)
      ? literalOf(checker, expression)
      : isHandedIn(checker, expression)
        ? standInAfter(text)
        : partOf(checker, expression, parameters);
    text += part + literal.text;
  }
  return text;
}

/** The text of an expression in a statement: that of a fragment, or a parameter. */
function partOf(checker: ts.TypeChecker, expression: ts.Expression, parameters: (string | null)[]): string {
  const fragments = fragmentsOf(checker, expression);
  if (fragments.length > 0) {
    const longest = fragments.toSorted((one, other) => other.getText().length - one.getText().length)[0]!;
    return textOf(checker, longest.template, parameters);
  }
  if (ts.isCallExpression(expression) && isSql(checker, expression.expression)) return nameOrList(checker, expression, parameters);
  parameters.push(primitiveOf(checker, expression));
  return `$${parameters.length}`;
}

/** The text of `sql.unsafe(COLUMNS)` if it is a constant; otherwise `null`, which fits the arguments of a call. */
function literalOf(checker: ts.TypeChecker, { arguments: [given] }: ts.CallExpression): string {
  const type = given === undefined ? undefined : checker.getTypeAtLocation(given);
  return type?.isStringLiteral() === true ? type.value : "null";
}

const isUnsafe = (expression: ts.Expression): expression is ts.CallExpression =>
  ts.isCallExpression(expression) && ts.isPropertyAccessExpression(expression.expression) && expression.expression.name.text === "unsafe";

/** Whether an expression is a statement or a fragment whose template cannot be found, such as a parameter. */
const isHandedIn = (checker: ts.TypeChecker, expression: ts.Expression): boolean =>
  checker.getTypeAtLocation(expression).getProperty("describe") !== undefined && fragmentsOf(checker, expression).length === 0;

const standInAfter = (text: string): string => (/\b(and|or|where|on)\s+$/i.test(text) ? "true" : "select 1");

/** `sql(table)` is a name, of a union of names the first, and unknown where it is any string; `sql(ids)` is a list. */
function nameOrList(checker: ts.TypeChecker, { arguments: [given] }: ts.CallExpression, parameters: (string | null)[]): string {
  const type = checker.getTypeAtLocation(given!);
  const first = type.isUnion() ? type.types[0]! : type;
  if (first.isStringLiteral()) return first.value;
  if ((first.flags & ts.TypeFlags.StringLike) !== 0) return UNKNOWN_NAME;
  parameters.push(null);
  return `($${parameters.length})`;
}

/** What a function of fragments is called with, by its parameters. */
const given = new Map<ts.ParameterDeclaration, ts.Expression>();

/** The templates that an expression resolves to: itself, both branches of a conditional, or those of its function, variable or argument. */
function fragmentsOf(checker: ts.TypeChecker, expression: ts.Node): ts.TaggedTemplateExpression[] {
  if (ts.isTaggedTemplateExpression(expression)) return isSql(checker, expression.tag) ? [expression] : [];
  if (ts.isParenthesizedExpression(expression)) return fragmentsOf(checker, expression.expression);
  if (ts.isConditionalExpression(expression) && expression.condition.getText() === "isSpread")
    return fragmentsOf(checker, expression.whenFalse);
  if (ts.isConditionalExpression(expression))
    return [...fragmentsOf(checker, expression.whenTrue), ...fragmentsOf(checker, expression.whenFalse)];
  const named = ts.isCallExpression(expression) ? expression.expression : expression;
  if (!ts.isIdentifier(named)) return [];
  const declaration = checker.getSymbolAtLocation(named)?.declarations?.[0];
  const resolved = declaration !== undefined && ts.isImportSpecifier(declaration) ? aliased(checker, named) : declaration;
  if (resolved === undefined) return [];
  if (ts.isParameter(resolved)) return given.has(resolved) ? fragmentsOf(checker, given.get(resolved)!) : [];
  const value = ts.isVariableDeclaration(resolved) ? resolved.initializer : resolved;
  if (value === undefined) return [];
  if (!ts.isArrowFunction(value) && !ts.isFunctionDeclaration(value)) return ts.isExpression(value) ? fragmentsOf(checker, value) : [];
  if (ts.isCallExpression(expression)) {
    for (const [at, argument] of expression.arguments.entries()) if (value.parameters[at]) given.set(value.parameters[at], argument);
  }
  return value.body === undefined ? [] : returnedBy(checker, value.body);
}

const returnedBy = (checker: ts.TypeChecker, body: ts.ConciseBody): ts.TaggedTemplateExpression[] =>
  ts.isBlock(body)
    ? body.statements.flatMap((one) =>
        ts.isReturnStatement(one) && one.expression !== undefined ? fragmentsOf(checker, one.expression) : [],
      )
    : fragmentsOf(checker, body);

function aliased(checker: ts.TypeChecker, name: ts.Identifier): ts.Declaration | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol === undefined ? undefined : checker.getAliasedSymbol(symbol).declarations?.[0];
}

function primitiveOf(checker: ts.TypeChecker, expression: ts.Expression): string | null {
  const shapes = [...shapesOf(checker, checker.getTypeAtLocation(expression))].filter((shape) => shape !== "null");
  return shapes.length === 1 ? shapes[0]! : null;
}

function rowOf(checker: ts.TypeChecker, rows: ts.TypeNode): Map<string, Set<Shape>> {
  const row = checker.getIndexTypeOfType(checker.getTypeFromTypeNode(rows), ts.IndexKind.Number)!;
  const columns = new Map<string, Set<Shape>>();
  for (const one of row.isUnion() ? row.types : [row])
    for (const property of checker.getPropertiesOfType(one))
      columns.set(property.name, new Set([...(columns.get(property.name) ?? []), ...shapesOf(checker, checker.getTypeOfSymbol(property))]));
  return columns;
}

function shapesOf(checker: ts.TypeChecker, type: ts.Type): Set<Shape> {
  if (type.isUnion()) return new Set(type.types.flatMap((one) => [...shapesOf(checker, one)]));
  const of = (flags: number) => (type.flags & flags) !== 0;
  if (of(ts.TypeFlags.StringLike)) return new Set(["string"]);
  if (of(ts.TypeFlags.NumberLike)) return new Set(["number"]);
  if (of(ts.TypeFlags.BooleanLike)) return new Set(["boolean"]);
  if (of(ts.TypeFlags.Null | ts.TypeFlags.Undefined)) return new Set(["null"]);
  if (type.symbol?.name === "Date") return new Set(["Date"]);
  return new Set(["json"]);
}
