import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Confidential {
  confidential: true;
}

/** Marks a variable as a secret: `NAME_FILE` may then name a file that holds it. */
export const confidential = <S extends object>(spec: S): S & Confidential => ({
  ...spec,
  confidential: true,
});

/** The same for all variables of one kind. */
export const confidentially = <V extends (...given: never[]) => object>(validator: V): V =>
  ((...given: Parameters<V>) => confidential(validator(...given))) as V;

export const isConfidential = (spec: unknown): boolean =>
  (spec as Partial<Confidential>).confidential === true;

interface Origin {
  path: string;
  /** @throws Error when the text is no value of this variable */
  parse: (text: string) => unknown;
  /** What it said last that was of use. */
  last: string;
}

/** Where values that the environment only pointed to came from; of one that several files had, nobody can say. */
const origins = new Map<string, Origin | undefined>();

type Specs = Readonly<Record<string, { _parse?: (text: string) => unknown }>>;

/**
 * Puts the content of files in place of their names: of `KEY_FILE=/run/secrets/key` becomes `KEY`, without the white space around it.
 * @returns the environment, and one sentence for each file that doesn't do; never what is in it
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
      problems.push(`${name} and ${name}_FILE are both set: give the one or the other.`);
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
    return text === '' ? { problem: 'names a file that is empty.' } : { text };
  } catch (error) {
    const { code = 'unknown reason' } = error as { code?: string };
    // A second value is there for a while only: its file may be missing from a folder that is there.
    if (code === 'ENOENT' && name.endsWith('_SECOND') && existsSync(dirname(path))) return {};
    return { problem: `names a file that can't be read (${code}).` };
  }
}

/**
 * What a secret is by now: of one that came from a file, what the file holds, for such files change while a process runs. As long as there is
 * nothing of use in it, what it held last. Others never change.
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
    // Half written, or between two versions of its folder.
  }
  return origin.last;
}
