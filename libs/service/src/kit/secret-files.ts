import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Confidential {
  confidential: true;
}

/** Marks a variable as a secret, for which `NAME_FILE` may name a file with the value. */
export const confidential = <S extends object>(spec: S): S & Confidential => ({
  ...spec,
  confidential: true,
});

/** Marks all variables of a validator as secrets. */
export const confidentially = <V extends (...given: never[]) => object>(validator: V): V =>
  ((...given: Parameters<V>) => confidential(validator(...given))) as V;

export const isConfidential = (spec: unknown): boolean =>
  (spec as Partial<Confidential>).confidential === true;

interface Origin {
  path: string;
  /** @throws Error if the text is not a valid value of this variable */
  parse: (text: string) => unknown;
  /** Last valid content. */
  last: string;
}

/** Files from which values were read; undefined for a value that several files contain. */
const origins = new Map<string, Origin | undefined>();

type Specs = Readonly<Record<string, { _parse?: (text: string) => unknown }>>;

/**
 * Reads the files that variables name: `KEY_FILE=/run/secrets/key` sets `KEY`, without surrounding white
 * space.
 * @returns the environment, and one sentence per invalid file, without its content
 */
export function withSecretFiles(
  specs: object,
  source: NodeJS.ProcessEnv,
): { values: NodeJS.ProcessEnv; problems: string[] } {
  const values = { ...source };
  const problems: string[] = [];
  for (const [name, spec] of Object.entries(specs as Specs)) {
    const path = isConfidential(spec) ? source[`${name}_FILE`] : undefined;
    if (!path) continue;
    if (source[name]) {
      problems.push(`${name} and ${name}_FILE are both set: set only one of them.`);
      continue;
    }
    const { text, problem } = read(name, path);
    if (problem !== undefined) problems.push(`${name}_FILE ${problem}`);
    if (text === undefined) continue;
    values[name] = text;
    const isShared = origins.has(text) && origins.get(text)?.path !== path;
    origins.set(text, isShared ? undefined : { path, parse: spec._parse ?? String, last: text });
  }
  return { values, problems };
}

function read(name: string, path: string): { text?: string; problem?: string } {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { problem: 'points to an empty file.' } : { text };
  } catch (error) {
    const { code = 'unknown reason' } = error as { code?: string };
    // A second value is temporary: its file may be missing from an existing folder.
    if (code === 'ENOENT' && name.endsWith('_SECOND') && existsSync(dirname(path))) return {};
    return { problem: `points to a file that cannot be read (${code}).` };
  }
}

/**
 * Returns the current value of a secret. One from a file is read again, because such files change while a
 * process runs; while the content is invalid, the last valid value is returned. Other secrets do not change.
 */
export function latest(secret: string): string {
  const origin = origins.get(secret);
  if (origin === undefined) return secret;
  try {
    const text = readFileSync(origin.path, 'utf8').trim();
    if (text === '') return origin.last;
    origin.parse(text);
    origin.last = text;
  } catch {
    // Partly written, or between two versions of its folder.
  }
  return origin.last;
}
