/** Source files of the project and their imports, including types, read from the syntax tree. */
import { globSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export interface Import {
  /** Imported file, from the root of the project; for a package, the specifier. */
  readonly to: string;
  readonly line: number;
  /** Whether the compiler erases it. */
  readonly typeOnly: boolean;
}

export interface SourceText {
  /** Path from the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Source extends SourceText {
  readonly imports: readonly Import[];
}

const places = [
  'libs/*/{src,test}/**/*.ts',
  'services/*/{src,test}/**/*.ts',
  'gateway/{src,test}/**/*.ts',
  'cli/*.ts',
  'cli/src/**/*.ts',
  'console/*.ts',
  'console/src/**/*.{ts,tsx}',
  '{e2e,bench,scripts}/**/*.ts',
];

/** Returns all handwritten files; generated files are neither measured nor followed. */
export function readSources(root: string): Source[] {
  return readTexts(root).map(({ path, text }) => ({ path, text, imports: importsOf(path, text) }));
}

/** Returns the same files without their imports, which need the syntax tree. */
export const readTexts = (root: string): SourceText[] =>
  filesOf(root, places).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

export function filesOf(root: string, patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: root, exclude: ['**/node_modules', '**/dist', '**/generated'] })
    .map((path) => path.split(sep).join('/'))
    .toSorted();
}

/** Returns every kind of import: static, re-export, dynamic, and `import('…')` in a type. */
export function importsOf(path: string, text: string): Import[] {
  const parsed = parseSync(path, text);
  const failure = parsed.errors[0];
  if (failure !== undefined) throw new Error(`${path}: ${failure.message}`);
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const found: Import[] = [];
  const add = (specifier: string, start: number, typeOnly: boolean): void => {
    const line = lineAt(text, start);
    found.push({ to: resolve(path, specifier), line, typeOnly });
  };
  for (const { moduleRequest, entries, start } of staticImports) {
    const typeOnly = entries.length > 0 ? entries.every((entry) => entry.isType) : isType(text, start);
    add(moduleRequest.value, start, typeOnly);
  }
  for (const { entries, start } of staticExports) {
    const request = entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest;
    if (request) {
      const typeOnly = entries.every((entry) => entry.isType);
      add(request.value, start, typeOnly);
    }
  }
  for (const { moduleRequest, start } of dynamicImports) {
    const literal = /^(['"`])([^'"`$]+)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[2] !== undefined) add(literal[2], start, false);
  }
  // Imports in types are only in the syntax tree, whose construction costs more than all other work here.
  if (/\bimport\s*\(/.test(text)) {
    const visitor = new Visitor({
      TSImportType: (node) => add(node.source.value, node.start, true),
    });
    visitor.visit(parsed.program);
  }
  return found;
}

function isType(text: string, start: number): boolean {
  return /^import\s+type\b/.test(text.slice(start, start + 32));
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

function resolve(from: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier;
}
