import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefinitionNode, Kind, parse, print } from 'graphql';

/**
 * Reads the schema of a service whose modules each have a part: all `.graphql` files below a folder, in the
 * order of paths. Definitions and their extensions (`extend type Query`) are merged, so that the division is
 * invisible to readers of the schema.
 * @param folder the service's `src` or `dist`
 */
export function readSchema(folder: URL): string {
  const root = fileURLToPath(folder);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.graphql'))
    .sort();
  if (files.length === 0) throw new Error(`There is no schema in ${root}`);
  return mergeSchemaParts(files.map((file) => readFileSync(`${root}/${file}`, 'utf8')));
}

/** Parts of one schema as one; a single part stays as it is written. */
export function mergeSchemaParts(parts: readonly string[]): string {
  if (parts.length === 1) return parts[0] as string;
  const nodes = parts.flatMap((part) => parse(part, { noLocation: true }).definitions);
  const merged = new Map<string, DefinitionNode>();
  for (const node of nodes) {
    const name = definedName(node);
    if (name === undefined) continue;
    if (merged.has(name)) throw new Error(`The schema defines ${name} in two places`);
    merged.set(name, node);
  }
  const rest: DefinitionNode[] = [];
  for (const node of nodes) {
    const extended = extendedName(node);
    const base = extended === undefined ? undefined : merged.get(extended);
    if (extended !== undefined && base) merged.set(extended, extend(base, node));
    else if (definedName(node) === undefined) rest.push(node);
  }
  return `${print({ kind: Kind.DOCUMENT, definitions: [...rest, ...merged.values()] })}\n`;
}

const suffix = { definition: 'TypeDefinition', extension: 'TypeExtension' } as const;

const nameOf = (node: DefinitionNode): string | undefined =>
  'name' in node && node.name ? node.name.value : undefined;

/** Returns the name of a type or directive; directives with their @. */
function definedName(node: DefinitionNode): string | undefined {
  if (node.kind === Kind.DIRECTIVE_DEFINITION) return `@${node.name.value}`;
  return node.kind.endsWith(suffix.definition) ? nameOf(node) : undefined;
}

const extendedName = (node: DefinitionNode): string | undefined =>
  node.kind.endsWith(suffix.extension) ? nameOf(node) : undefined;

/** Parts of a definition or extension of any kind of type. */
interface TypeParts {
  directives?: readonly unknown[];
  interfaces?: readonly unknown[];
  fields?: readonly unknown[];
  types?: readonly unknown[];
  values?: readonly unknown[];
}

const lists = ['directives', 'interfaces', 'fields', 'types', 'values'] as const;

function extend(base: DefinitionNode, extension: DefinitionNode): DefinitionNode {
  const kind = extension.kind.replace(suffix.extension, suffix.definition);
  if (base.kind !== kind) throw new Error(`The schema extends ${nameOf(base)}, which is of another kind`);
  const [of, more] = [base as TypeParts, extension as TypeParts];
  const joined = Object.fromEntries(
    lists.flatMap((list) =>
      of[list] || more[list] ? [[list, [...(of[list] ?? []), ...(more[list] ?? [])]]] : [],
    ),
  );
  return { ...base, ...joined } as DefinitionNode;
}
