/** What can stand where on a command line. All of it is letters, digits and hyphens: nothing of a shell can be in it. */
export interface Places {
  /** The words that can come next, by the names of commands that stand there already: '' before any. */
  words: ReadonlyMap<string, readonly string[]>;
  /** Commands that no other name follows, but arguments. */
  leaves: readonly string[];
  /** Commands that take the name of a file. */
  takeFiles: readonly string[];
  /** Options that take a value: which ones there are, if it is known; or the name of a file. */
  values: ReadonlyMap<string, readonly string[] | 'file'>;
}

/** Options whose values are names of files, and the choices of the others that have some. */
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
