/** Completions by position. Values consist of letters, digits and hyphens, so the scripts need no shell quoting. */
export interface Places {
  /** Next words, by the command names before them; '' is the start. */
  words: ReadonlyMap<string, readonly string[]>;
  /** Commands without subcommands. */
  leaves: readonly string[];
  /** Commands that take a file name. */
  takeFiles: readonly string[];
  /** Options with a value: the choices, if they are fixed, or `file`. */
  values: ReadonlyMap<string, readonly string[] | 'file'>;
}

/** Returns the options that take a file name, and the choices of the others. */
export function valuesOf({ values }: Places): {
  all: string[];
  files: string[];
  choices: [flag: string, choices: readonly string[]][];
} {
  const entries = [...values];
  return {
    all: entries.map(([flag]) => flag),
    files: entries.flatMap(([flag, value]) => (value === 'file' ? [flag] : [])),
    choices: entries.flatMap(([flag, value]) =>
      value !== 'file' && value.length > 0 ? [[flag, value] as [string, readonly string[]]] : [],
    ),
  };
}
