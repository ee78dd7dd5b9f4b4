/**
 * Finds the files that use the definitions of a file, name by name, so that an entry point with a hundred re-exports
 * connects only a definition with its users. Types count: users of an injected object only import its type.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type ParseResult, parseSync } from 'oxc-parser';

/** All names of a file, or names that cannot be determined. */
const everything = '*';

interface Names {
  /** Name → origin, for re-exported names. */
  readonly passedOn: ReadonlyMap<string, { from: string; name: string }>;
  /** Files that are re-exported completely. */
  readonly passedOnWhole: readonly string[];
  readonly taken: readonly { from: string; name: string }[];
}

export class Uses {
  readonly #names = new Map<string, Names>();
  readonly #users = new Map<string, Set<string>>();

  /** @param files paths from `root`, with slashes */
  constructor(root: string, files: readonly string[]) {
    for (const file of files) {
      const path = join(root, file);
      if (existsSync(path)) this.#names.set(file, namesIn(file, readFileSync(path, 'utf8')));
    }
    for (const [user, { taken }] of this.#names) {
      for (const { from, name } of taken) {
        for (const origin of this.originsOf(from, name)) {
          const users = this.#users.get(origin) ?? new Set();
          this.#users.set(origin, users.add(user));
        }
      }
    }
  }

  /** Returns the files that use a name that the file defines or re-exports. */
  usersOf(file: string): string[] {
    return [...(this.#users.get(file) ?? [])];
  }

  /** Returns the names that a file imports, each with the imported file. */
  takenBy(file: string): readonly { from: string; name: string }[] {
    return this.#names.get(file)?.taken ?? [];
  }

  /** Returns the files of a name: the imported one, re-exporting ones, and the one that defines it. */
  originsOf(file: string, name: string, seen: ReadonlySet<string> = new Set()): string[] {
    const names = this.#names.get(file);
    if (names === undefined || seen.has(file)) return [file];
    const before = new Set([...seen, file]);
    const through = (from: string, as: string) => this.originsOf(from, as, before);
    if (name === everything) {
      const passed = [...names.passedOn.values()].flatMap((one) => through(one.from, one.name));
      return [file, ...passed, ...names.passedOnWhole.flatMap((from) => through(from, everything))];
    }
    const next = names.passedOn.get(name);
    if (next !== undefined) return [file, ...through(next.from, next.name)];
    // A file that is re-exported completely has the name, if the file itself does not.
    return [file, ...names.passedOnWhole.flatMap((from) => through(from, name))];
  }
}

function namesIn(file: string, text: string): Names {
  const parsed = parseSync(file, text);
  const failure = parsed.errors[0];
  if (failure !== undefined) throw new Error(`${file}: ${failure.message}`);
  const at = (specifier: string) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined;
  return { ...exportsIn(parsed, at), taken: importsIn(parsed, text, at) };
}

type Locate = (specifier: string) => string | undefined;

function exportsIn({ module }: ParseResult, at: Locate): Omit<Names, 'taken'> {
  const passedOn = new Map<string, { from: string; name: string }>();
  const passedOnWhole: string[] = [];
  for (const { moduleRequest, importName, exportName } of module.staticExports.flatMap((e) => e.entries)) {
    const from = moduleRequest && at(moduleRequest.value);
    if (!from) continue;
    if (exportName.name === null) passedOnWhole.push(from);
    else passedOn.set(exportName.name, { from, name: importName.name ?? everything });
  }
  return { passedOn, passedOnWhole };
}

function importsIn({ module }: ParseResult, text: string, at: Locate): { from: string; name: string }[] {
  const taken: { from: string; name: string }[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    const from = at(moduleRequest.value);
    if (from === undefined) continue;
    if (entries.length === 0) taken.push({ from, name: everything });
    for (const { importName } of entries) {
      const named = importName.kind === 'Default' ? 'default' : importName.name;
      taken.push({ from, name: named ?? everything });
    }
  }
  // Includes types, which the list of imports does not contain.
  for (const [, specifier = ''] of text.matchAll(/\bimport\s*\(\s*'(\.[^']+)'/g)) {
    const from = at(specifier);
    if (from !== undefined) taken.push({ from, name: everything });
  }
  return taken;
}
