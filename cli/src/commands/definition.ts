import type { Context } from './context.ts';

export interface OptionDefinition {
  /** As commander reads it: `--since <time>`. */
  flags: string;
  description: string;
  choices?: readonly string[];
  default?: string;
  /** May be given more than once. */
  many?: boolean;
  required?: boolean;
}

/** One command: what help, completion and the reference are made from. */
export interface CommandDefinition {
  /** Name and arguments, as commander reads them: `show <id>`. */
  usage: string;
  summary: string;
  details?: string;
  options?: readonly OptionDefinition[];
  /** What its argument may be, where that is known. */
  argumentChoices?: readonly string[];
  examples: readonly string[];
  run(context: Context, given: Arguments): Promise<void>;
}

export interface GroupDefinition {
  name: string;
  summary: string;
  commands: readonly CommandDefinition[];
}

export const isGroup = (definition: CommandDefinition | GroupDefinition): definition is GroupDefinition =>
  'commands' in definition;

/** What stood on the command line. */
export class Arguments {
  readonly #positional: readonly (string | undefined)[];
  readonly #options: Readonly<Record<string, unknown>>;

  constructor(positional: readonly (string | undefined)[], options: Readonly<Record<string, unknown>>) {
    this.#positional = positional;
    this.#options = options;
  }

  /** A required one: commander has seen to it that it is there. */
  at(index: number): string {
    return this.#positional[index] ?? '';
  }

  optional(index: number): string | undefined {
    return this.#positional[index];
  }

  text(name: string): string | undefined {
    const value = this.#options[name];
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#options[name] === true;
  }

  list(name: string): readonly string[] {
    const value = this.#options[name];
    return Array.isArray(value) ? value.map(String) : [];
  }
}
