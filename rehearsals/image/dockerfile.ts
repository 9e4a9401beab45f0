import { type Copy, DockerfileParser, type Env, type From, type Healthcheck, type Instruction } from "dockerfile-ast";

/** A command: a program with its arguments, or a line for a shell. */
export type Command = readonly string[] | string;

export type Step =
  | { kind: "workdir"; path: string }
  | { kind: "env"; values: Record<string, string> }
  | { kind: "copy"; from: string | null; sources: string[]; target: string }
  | { kind: "run"; command: Command };

/** A stage: how it is built, and how it is started. */
export interface Stage {
  base: string;
  name: string | null;
  steps: Step[];
  user: string | null;
  ports: string[];
  entrypoint: Command | null;
  command: Command | null;
  stopSignal: string | null;
  health: { command: Command; options: Record<string, string> } | null;
}

/** The stages of a Dockerfile, in order. Throws at a step that `layers.ts` cannot execute as a container runtime would. */
export function readStages(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === "FROM") stages.push(openStage(instruction as From));
    else {
      const stage = stages.at(-1);
      if (stage === undefined) throw new Error(`${keyword} comes before FROM`);
      addTo(stage, keyword, instruction);
    }
  }
  return stages;
}

const openStage = (from: From): Stage => ({
  ...{ base: from.getImage() ?? "", name: from.getBuildStage(), steps: [], ports: [] },
  ...{ user: null, entrypoint: null, command: null, stopSignal: null, health: null },
});

function addTo(stage: Stage, keyword: string, instruction: Instruction): void {
  const words = instruction.getArguments().map((argument) => argument.getValue());
  switch (keyword) {
    case "WORKDIR":
      return void stage.steps.push({ kind: "workdir", path: words[0]! });
    case "ENV":
      return void stage.steps.push({ kind: "env", values: variablesOf(instruction as Env) });
    case "COPY":
      return void stage.steps.push(copyOf(instruction as Copy));
    case "RUN":
      return void stage.steps.push({ kind: "run", command: commandOf(instruction) });
    case "USER":
      return void (stage.user = words[0]!);
    case "EXPOSE":
      return void stage.ports.push(...words);
    case "STOPSIGNAL":
      return void (stage.stopSignal = words[0]!);
    case "ENTRYPOINT":
      return void (stage.entrypoint = commandOf(instruction));
    case "CMD":
      return void (stage.command = commandOf(instruction));
    case "HEALTHCHECK":
      return void (stage.health = healthOf(instruction));
    default:
      throw new Error(`the step ${keyword} is not understood`);
  }
}

const variablesOf = (env: Env): Record<string, string> =>
  Object.fromEntries(env.getProperties().map((property) => [property.getName(), property.getValue() ?? ""]));

function copyOf(copy: Copy): Step {
  const flags = new Map(copy.getFlags().map((flag) => [flag.getName(), flag.getValue()]));
  const unknown = [...flags.keys()].filter((name) => name !== "from");
  if (unknown.length > 0) throw new Error(`COPY --${unknown.join(", --")} is not understood`);
  const words = copy.getArguments().map((argument) => argument.getValue());
  return { kind: "copy", from: flags.get("from") ?? null, sources: words.slice(0, -1), target: words.at(-1)! };
}

function healthOf(instruction: Instruction): Stage["health"] {
  const options = (instruction as unknown as Healthcheck).getFlags().map((flag) => [flag.getName(), flag.getValue() ?? ""]);
  const text = instruction.getRawArgumentsContent() ?? "";
  const [, command] = /\bCMD\s+(\[[^]*\])\s*$/.exec(text) ?? [];
  if (command === undefined) throw new Error("HEALTHCHECK wants CMD with a list of words");
  return { command: JSON.parse(command) as string[], options: Object.fromEntries(options) as Record<string, string> };
}

/** A JSON list is a program with its arguments; anything else is a line for a shell. */
function commandOf(instruction: Instruction): Command {
  const text = instruction.getRawArgumentsContent() ?? "";
  return text.startsWith("[") ? (JSON.parse(text) as string[]) : text;
}
