import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Fields of a source map (ECMA-426) that lookups use. */
export interface SourceMap {
  sources: readonly string[];
  mappings: string;
}

/** Index of a source map; the mappings stay in their file, from which a lookup reads a few hundred bytes. */
export interface SourceIndex {
  sources: readonly string[];
  /** Offset of every n-th line in the mappings, with the state there: see `Checkpoint`. */
  checkpoints: readonly (readonly [at: number, source: number, line: number, column: number])[];
}

/** A position in a file: line and column count from 1, as in stack traces. */
export interface Position {
  line: number;
  column: number;
}

export interface SourcePosition extends Position {
  source: string;
}

const [semicolon, comma] = [';'.charCodeAt(0), ','.charCodeAt(0)];
/** Value of each base64 digit, and whether another digit follows. */
const digits = new Uint8Array(128);
for (const [value, digit] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  digits[digit.charCodeAt(0)] = value;
}

/** State that continues from one segment to the next: everything except the generated column. */
interface State {
  source: number;
  line: number;
  column: number;
}

type Checkpoint = SourceIndex['checkpoints'][number];
type OnLine = (at: number, state: State) => boolean;
type OnSegment = (generated: number, known: boolean, state: State) => void;

const linesApart = 256;

/**
 * Builds the index at bundling, because parsing megabytes of mappings for a stack trace takes a tenth of a
 * second.
 */
export function indexSources({ sources, mappings }: SourceMap): SourceIndex {
  const checkpoints: Checkpoint[] = [];
  let lines = 0;
  walk(mappings, { source: 0, line: 0, column: 0 }, (at, { source, line, column }) => {
    if (lines++ % linesApart === 0) checkpoints.push([at, source, line, column]);
    return true;
  });
  return { sources, checkpoints };
}

/**
 * Returns the source of a position in generated code.
 * @param read returns the mappings between two offsets
 * @returns undefined for code without a source
 */
export function sourcePosition(
  { sources, checkpoints }: SourceIndex,
  read: (from: number, to: number | undefined) => string,
  wanted: Position,
): SourcePosition | undefined {
  const index = Math.floor((wanted.line - 1) / linesApart);
  const begin = checkpoints[index];
  if (begin === undefined) return undefined;
  const [at, source, line, column] = begin;
  let linesToGo = (wanted.line - 1) % linesApart;
  let found: SourcePosition | undefined;
  walk(
    read(at, checkpoints[index + 1]?.[0]),
    { source, line, column },
    () => linesToGo-- >= 0,
    (generated, known, state) => {
      if (linesToGo >= 0 || generated >= wanted.column) return;
      const name = known ? sources[state.source] : undefined;
      found =
        name === undefined ? undefined : { source: name, line: state.line + 1, column: state.column + 1 };
    },
  );
  return found;
}

/**
 * Parses mappings from the start of a line until `onLine` returns false. `onSegment` gets the generated
 * column and whether the segment has a source.
 */
function walk(mappings: string, from: State, onLine: OnLine, onSegment?: OnSegment): void {
  let { source, line, column } = from;
  let [generated, field, value, shift] = [0, 0, 0, 0];
  if (!onLine(0, from)) return;
  for (let at = 0; at <= mappings.length; at++) {
    const code = at < mappings.length ? mappings.charCodeAt(at) : semicolon;
    if (code === comma || code === semicolon) {
      if (field > 0) onSegment?.(generated, field > 1, { source, line, column });
      field = 0;
      if (code === comma) continue;
      generated = 0;
      if (!onLine(at + 1, { source, line, column })) return;
      continue;
    }
    const digit = digits[code] as number;
    value |= (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    const amount = (value & 1) === 1 ? -(value >>> 1) : value >>> 1;
    if (field === 0) generated += amount;
    else if (field === 1) source += amount;
    else if (field === 2) line += amount;
    else if (field === 3) column += amount;
    field++;
    value = 0;
    shift = 0;
  }
}

/**
 * Maps stack traces of a bundle to its sources. Node's `--enable-source-maps` reads and retains whole maps;
 * here the index is read at the first stack trace, with only the mappings of the positions needed.
 * @param bundle path of the code, `….cjs`, beside the index (`….sources.json`) and the mappings
 * (`….mappings`)
 */
export function nameSources(bundle: string): void {
  const beside = (ending: string): string => bundle.replace(/cjs$/, ending);
  let index: SourceIndex | undefined;
  const known = new Map<string, string>();
  const placeOf = (key: string, line: number, column: number): string => {
    try {
      index ??= JSON.parse(readFileSync(beside('sources.json'), 'utf8')) as SourceIndex;
      const read = (from: number, to?: number) => readPart(beside('mappings'), from, to);
      const found = sourcePosition(index, read, { line, column });
      if (found !== undefined) return `${join(dirname(bundle), found.source)}:${found.line}:${found.column}`;
    } catch {
      // Without them the trace names the bundle.
    }
    return key;
  };
  const lineOf = (site: NodeJS.CallSite): string => {
    const text = String(site);
    if (site.getFileName() !== bundle) return text;
    const [line, column] = [site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0];
    const key = `${bundle}:${line}:${column}`;
    let place = known.get(key);
    if (place === undefined) {
      place = placeOf(key, line, column);
      known.set(key, place);
    }
    return text.replace(key, () => place);
  };
  Error.prepareStackTrace = (error, sites) =>
    [headOf(error), ...sites.map((site) => `    at ${lineOf(site)}`)].join('\n');
}

/**
 * Returns the first line of a stack trace, as V8 formats it. An error thrown by the value itself must not
 * replace the reported one.
 */
function headOf(error: unknown): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return '<error>';
  }
}

function readPart(path: string, from: number, to?: number): string {
  const file = openSync(path, 'r');
  try {
    const part = Buffer.alloc((to ?? fstatSync(file).size) - from);
    return part.toString('latin1', 0, readSync(file, part, 0, part.length, from));
  } finally {
    closeSync(file);
  }
}
