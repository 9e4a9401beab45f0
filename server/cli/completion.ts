import { Argument, type Command } from "commander";
import { printLine } from "./output.ts";

/** `completion bash|zsh` prints a script that completes commands, options and the choices of options. */
export function completionCommand(program: Command): void {
  program
    .command("completion")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh"]))
    .action((shell: "bash" | "zsh") => printLine(shell === "bash" ? bashScript(program) : zshScript(program)));
}

/** The words that may follow, by the preceding commands: "" → "login logout …", "api-key create" → "--name …". */
function wordsByPath(command: Command, path: string[] = []): [string, string[]][] {
  const inner = command.commands.flatMap((one) => wordsByPath(one, [...path, one.name()]));
  const options = command.options.flatMap(({ long, hidden }) => (hidden || long === undefined || long === null ? [] : [long]));
  const values = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  return [[path.join(" "), [...command.commands.map((one) => one.name()), ...values, ...options, "--help"]], ...inner];
}

/** The values of options with a closed list. */
function choicesByOption(command: Command): Map<string, readonly string[]> {
  const own = command.options.flatMap(({ long, argChoices }) => (long && argChoices ? [[long, argChoices] as const] : []));
  const fixed = [
    ["--environment", ["sandbox", "live"]] as const,
    ["--from", ["sandbox", "live"]] as const,
    ["--to", ["sandbox", "live"]] as const,
  ];
  return new Map([...fixed, ...own, ...command.commands.flatMap((one) => [...choicesByOption(one)])]);
}

const cases = (program: Command): string =>
  wordsByPath(program)
    .map(([path, words]) => `    "${path}") candidates="${words.join(" ")}" ;;`)
    .join("\n");

const choices = (program: Command): string =>
  [...choicesByOption(program)].map(([option, values]) => `    ${option}) candidates="${values.join(" ")}" ;;`).join("\n");

/** A word is part of the command path while it continues one; option values are not. */
const finder = (program: Command): string => `_engagement_words() {
  local word next at="" candidates="" previous="$1"
  shift
  for word in "$@"; do
    next="\${at:+$at }$word"
    case "$next" in
      ${wordsByPath(program)
        .map(([path]) => `"${path}"`)
        .filter((path) => path !== '""')
        .join("|")}) at="$next" ;;
    esac
  done
  case "$previous" in
${choices(program)}
  esac
  if [ -z "$candidates" ]; then
    case "$at" in
${cases(program).replaceAll(/^/gm, "  ")}
    esac
  fi
  printf '%s\\n' $candidates
}`;

const bashScript = (program: Command): string => `${finder(program)}
_engagement() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(_engagement_words "\${COMP_WORDS[COMP_CWORD-1]}" "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "$current"))
}
complete -o default -F _engagement engagement`;

/** Zsh does not split words by default, and reserves the parameter names `words` and `path`. */
const zshScript = (program: Command): string => `#compdef engagement
${finder(program).replace("$candidates\n}", "\${=candidates}\n}")}
_engagement() {
  local -a found
  found=(\${(f)"$(_engagement_words "\${words[CURRENT-1]}" "\${(@)words[2,CURRENT-1]}")"})
  compadd -a found || _files
}
compdef _engagement engagement`;
