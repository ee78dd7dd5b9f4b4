import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { routeConferrals as authRoutes } from '../../services/auth/src/app.ts';
import { routeConferrals as directoryRoutes } from '../../services/directory/src/composition/route-conferrals.ts';
import { resourcePath } from '../../services/directory/src/resources/http/routes.ts';
import { routeConferrals as provisioningRoutes } from '../../services/provisioning/src/access/http/conferring.ts';
import type { Contract } from './inventory.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** Form of a contract: its version, and its declarations without comments and line breaks. */
export interface Form {
  version: number;
  declarations: Record<string, string>;
}

/** @throws Error if a declaration of the inventory is not in the stated file */
export function formOf({ name, version, declared }: Contract): Form {
  const declarations: Record<string, string> = {};
  for (const [file, names] of Object.entries(declared)) {
    const found = declarationsIn(join(root, file));
    for (const one of names) {
      const text = found.get(one);
      if (text === undefined) throw new Error(`${one}, of the contract ${name}, is not declared in ${file}`);
      declarations[one] = text;
    }
  }
  return { version, declarations };
}

function declarationsIn(file: string): Map<string, string> {
  const text = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, text);
  // Comments are replaced by blanks, so that positions stay valid.
  let bare = text;
  for (const { start, end } of comments)
    bare = bare.slice(0, start) + ' '.repeat(end - start) + bare.slice(end);
  const found = new Map<string, string>();
  for (const node of program.body) {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (!declaration) continue;
    const body = bare.slice(declaration.start, declaration.end).replace(/\s+/g, ' ').trim();
    if (declaration.type === 'VariableDeclaration') {
      const [first] = declaration.declarations;
      if (first?.id.type === 'Identifier') found.set(first.id.name, body);
    } else if ('id' in declaration && declaration.id && 'name' in declaration.id) {
      found.set(String(declaration.id.name), body);
    }
  }
  return found;
}

/**
 * Returns the internal routes with their methods. Changing routes are those whose required rights each service must
 * declare (it does not start otherwise). Reading routes are found in the source text.
 */
export function internalRoutes(): string[] {
  const conferring = {
    auth: Object.keys(authRoutes({ deviceFlow: true })),
    directory: Object.keys(directoryRoutes),
    provisioning: Object.keys(provisioningRoutes),
  };
  return Object.entries(conferring)
    .flatMap(([service, routes]) => [
      ...routes.filter((route) => / \/internal\//.test(route)).map((route) => `${service} ${route}`),
      ...readingRoutes(service).map((route) => `${service} GET ${route}`),
    ])
    .toSorted();
}

const readingRoute = /\bapp\.get(?:<[^(]*>)?\(\s*(?<quote>['"`])(?<path>.*?)\k<quote>/g;

function readingRoutes(service: string): string[] {
  const folder = join(root, 'services', service, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(\/http\/.*|\.http)\.ts$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      return [...text.matchAll(readingRoute)].flatMap(({ groups }) => resolved(groups?.path ?? '', text));
    })
    .filter((path) => path.startsWith('/internal/'));
}

/** Prefix of the routes of resources, which are the same for each type. */
const ofEachType = '$' + '{resourcePath(type)}';

/** Resolves the template of a route. @throws Error if it cannot be resolved, so that no route is missed */
function resolved(path: string, text: string): string[] {
  if (path.includes(ofEachType))
    return (['User', 'Group'] as const).map((type) => path.replace(ofEachType, resourcePath(type)));
  return [
    path.replace(/^\$\{(\w+)\}/, (_whole, name: string) => {
      const value = new RegExp(`\\bconst ${name} = ['\`]([^'\`]*)['\`]`).exec(text)?.[1];
      // The prefix of a public route, passed as an argument.
      if (value === undefined && !text.includes('/internal/')) return '';
      if (value === undefined) throw new Error(`what ${path} comes to is not known`);
      return value;
    }),
  ];
}

/**
 * Returns parts that were removed or changed, on which a reader or writer of the previous release may rely. Added
 * optional fields and union members are no loss.
 */
export function lostFrom(before: Form, now: Form): string[] {
  return Object.entries(before.declarations).flatMap(([name, text]) => {
    const current = now.declarations[name];
    if (current === undefined) return [`${name} is gone`];
    const left = new Map<string, number>();
    for (const part of partsOf(current)) left.set(part, (left.get(part) ?? 0) + 1);
    const missing = partsOf(text).filter((part) => {
      const count = left.get(part) ?? 0;
      left.set(part, count - 1);
      return count === 0;
    });
    const required = (isSentInParts(name, now) ? [] : partsOf(current)).filter(
      (part) => (left.get(part) ?? 0) > 0 && /^\w+: /.test(part) && !partsOf(text).includes(part),
    );
    return [
      ...missing.map((part) => `${name}: ${part}`),
      ...required.map((part) => `${name}: ${part} must be there, and wasn't before`),
    ];
  });
}

/** Reports whether a form refers to a declaration only as `Partial`, so that every field of it may be absent. */
function isSentInParts(name: string, { declarations }: Form): boolean {
  const partial = `Partial<${name}>`;
  const others = Object.entries(declarations).flatMap(([other, text]) => (other === name ? [] : text));
  const isReferredTo = new RegExp(`\\b${name}\\b`);
  return (
    others.some((text) => text.includes(partial)) &&
    !others.some((text) => isReferredTo.test(text.replaceAll(partial, '')))
  );
}

/** Fields of an interface, or members of a union or list. */
const partsOf = (text: string): string[] =>
  text
    .split(/;|,(?![^(<]*[>)])|\s\|\s|\{ | \}/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
