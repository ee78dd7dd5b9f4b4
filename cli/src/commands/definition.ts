import type { Context } from './context.ts';

export interface OptionDefinition {
  /** Flags in the syntax of commander: `--since <time>`. */
  flags: string;
  description: string;
  choices?: readonly string[];
  default?: string;
  /** Accepts several occurrences. */
  many?: boolean;
  required?: boolean;
}

/** One command. Help, completion and the reference are generated from it. */
export interface CommandDefinition {
  /** Name and arguments in the syntax of commander: `show <id>`. */
  usage: string;
  summary: string;
  details?: string;
  options?: readonly OptionDefinition[];
  /** Values of its argument, if they are fixed. */
  argumentChoices?: readonly string[];
  examples: readonly string[];
  run(context: Context, given: Arguments): Promise<void>;
}

export interface GroupDefinition {
  name: string;
  summary: string;
  commands: readonly (CommandDefinition | GroupDefinition)[];
}

export const isGroup = (definition: CommandDefinition | GroupDefinition): definition is GroupDefinition =>
  'commands' in definition;

/** Positional arguments and options of one command line. */
export class Arguments {
  readonly #positional: readonly (string | undefined)[];
  readonly #options: Readonly<Record<string, unknown>>;

  constructor(positional: readonly (string | undefined)[], options: Readonly<Record<string, unknown>>) {
    this.#positional = positional;
    this.#options = options;
  }

  /** Returns a required argument; commander has checked that it is present. */
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
