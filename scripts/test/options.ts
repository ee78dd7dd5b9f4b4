/** Arguments of `npm test` and `npm run test:full`. */

export interface Options {
  /** Runs the second tier after the first. */
  readonly full: boolean;
  /** Runs the tests affected since this commit; an empty string means since `main`. */
  readonly changed?: string;
  /** Runs the given files this many times instead of once. */
  readonly repeat?: number;
  /** Keeps two processes busy during `--repeat`. */
  readonly load: boolean;
  /** Arguments of Jest. */
  readonly jest: readonly string[];
}

const own = /^--(full|load|changed(=.*)?|repeat(=.*)?)$/;

/** @throws Error that states the accepted values of an option */
export function parseOptions(args: readonly string[]): Options {
  let full = false;
  let load = false;
  let changed: string | undefined;
  let repeat: number | undefined;
  const jest: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const value = arg.includes('=') ? arg.slice(arg.indexOf('=') + 1) : undefined;
    if (!own.test(arg)) jest.push(arg);
    else if (arg === '--full') full = true;
    else if (arg === '--load') load = true;
    else if (arg.startsWith('--changed')) changed = value ?? '';
    else {
      if (value === undefined) index += 1;
      repeat = countOf(value ?? args[index]);
    }
  }
  if (load && repeat === undefined) throw new Error('--load requires --repeat.');
  if (repeat !== undefined && jest.length === 0) throw new Error('--repeat requires a test file.');
  if (repeat !== undefined && changed !== undefined)
    throw new Error('--repeat and --changed cannot be combined.');
  return {
    full,
    load,
    jest,
    ...(changed === undefined ? {} : { changed }),
    ...(repeat === undefined ? {} : { repeat }),
  };
}

function countOf(text: string | undefined): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new Error('--repeat requires a positive number of runs, for example --repeat 20.');
  return count;
}

/** Returns the arguments that select tests by their names; a rerun of one file keeps them. */
export function testNameArguments(jest: readonly string[]): string[] {
  return jest.flatMap((arg, index) => {
    if (/^(-t|--testNamePattern)=/.test(arg)) return [arg];
    const value = jest[index + 1];
    return /^(-t|--testNamePattern)$/.test(arg) && value !== undefined ? [arg, value] : [];
  });
}
