/** Parser for the subset of Dockerfile syntax in use: no heredocs, no ARG, no ONBUILD. */

export interface Instruction {
  keyword: string;
  /** `--from=build` as `{ from: 'build' }`. */
  flags: Readonly<Record<string, string>>;
  /** Elements of a JSON array, or words separated by spaces. */
  words: readonly string[];
  /** Instruction without keyword and flags. */
  text: string;
}

export interface Stage {
  name: string;
  /** Another stage, or an image of a registry. */
  from: string;
  instructions: readonly Instruction[];
}

const known = new Set(
  'FROM COPY RUN ENV WORKDIR USER EXPOSE STOPSIGNAL CMD ENTRYPOINT HEALTHCHECK LABEL'.split(' '),
);

/** @throws Error if an instruction is not supported */
export function parseDockerfile(text: string): Stage[] {
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  for (const instruction of lines.map(parseInstruction)) {
    if (instruction.keyword === 'FROM') {
      const [from = '', , name = ''] = instruction.words;
      stages.push({ name, from, instructions: [] });
    } else stages.at(-1)?.instructions.push(instruction);
  }
  return stages;
}

function parseInstruction(line: string): Instruction {
  const [, keyword = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
  if (!known.has(keyword)) throw new Error(`the instruction is unknown here: ${line}`);
  const [, given = '', text = ''] = /^((?:--[\w-]+=\S+\s+)*)(.*)$/.exec(rest) ?? [];
  const flags = Object.fromEntries(
    [...given.matchAll(/--([\w-]+)=(\S+)/g)].map(([, name, value]) => [name ?? '', value ?? '']),
  );
  const words = text.startsWith('[') ? (JSON.parse(text) as string[]) : text.split(/\s+/);
  return { keyword, flags, words, text };
}

/** Returns a stage and the stages it is built from, base first. @throws Error if there is no such stage */
export function lineageOf(stages: readonly Stage[], name: string): Stage[] {
  const stage = stages.find((each) => each.name === name);
  if (stage === undefined) throw new Error(`there is no stage ${name}`);
  return stages.some((each) => each.name === stage.from)
    ? [...lineageOf(stages, stage.from), stage]
    : [stage];
}
