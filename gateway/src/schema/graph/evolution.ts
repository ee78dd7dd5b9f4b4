import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import {
  buildASTSchema,
  buildSchema,
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  Kind,
  parse,
  visit,
} from 'graphql';
import { composeApi } from './compose.ts';

/** Path of the last released API, which existing clients use. */
export const releasedApiPath = fileURLToPath(new URL('../../../released-api.graphql', import.meta.url));

/** Returns the changes from `released` to `current` that break clients without notice, one sentence each. */
export async function breakingChanges(released: string, current: string, today: string): Promise<string[]> {
  const before = buildASTSchema(withoutSunset(parse(released), today), { assumeValidSDL: true });
  const changes = await diff(before, buildSchema(current));
  return changes
    .filter((change) => change.criticality.level === CriticalityLevel.Breaking)
    .map((change) => change.message);
}

const sunsetPattern = /\bsunset: (\d{4}-\d{2}-\d{2})\b/;

/** Returns the date from which a deprecated element may be removed (YYYY-MM-DD); `undefined` when none is stated. */
function sunsetOf(node: { readonly directives?: readonly DirectiveNode[] | undefined }): string | undefined {
  const reason = node.directives
    ?.find(({ name }) => name.value === 'deprecated')
    ?.arguments?.find(({ name }) => name.value === 'reason')?.value;
  const day = reason?.kind === Kind.STRING ? sunsetPattern.exec(reason.value)?.[1] : undefined;
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : undefined;
}

/** Returns the coordinates of deprecated elements without a sunset date. */
export function deprecatedWithoutSunset(api: string): string[] {
  const found: string[] = [];
  const document = parse(api);
  for (const definition of document.definitions) {
    visit(definition, {
      enter(node) {
        if (!('directives' in node) || !('name' in node)) return;
        const deprecated = node.directives?.some(({ name }) => name.value === 'deprecated');
        if (deprecated && sunsetOf(node) === undefined) {
          found.push(`${'name' in definition ? definition.name?.value : ''}.${node.name?.value}`);
        }
      },
    });
  }
  return found;
}

/** Returns an API without the elements whose sunset date has come, and without the types that only they referred to. */
export function withoutSunset(api: DocumentNode, today: string): DocumentNode {
  const over = (node: { readonly directives?: readonly DirectiveNode[] | undefined }): boolean => {
    const day = sunsetOf(node);
    return day !== undefined && day <= today;
  };
  const removeOver = (node: { readonly directives?: readonly DirectiveNode[] | undefined }) =>
    over(node) ? null : undefined;
  const left = visit(api, {
    FieldDefinition: removeOver,
    InputValueDefinition: removeOver,
    EnumValueDefinition: removeOver,
  });
  const [before, after] = [reachableTypes(api), reachableTypes(left)];
  const orphaned = (name: string): boolean => before.has(name) && !after.has(name);
  return {
    ...left,
    definitions: left.definitions.filter((node) => !isType(node) || !orphaned(node.name.value)),
  };
}

type TypeDefinition = DefinitionNode & { readonly name: { readonly value: string } };

const isType = (node: DefinitionNode): node is TypeDefinition =>
  node.kind !== Kind.DIRECTIVE_DEFINITION && node.kind.endsWith('TypeDefinition');

/** Returns the names of the types that queries, mutations and subscriptions can reach. */
function reachableTypes(api: DocumentNode): Set<string> {
  const types = new Map(api.definitions.filter(isType).map((node) => [node.name.value, node]));
  const implementations = new Map<string, string[]>();
  for (const node of types.values()) {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    for (const { name } of node.interfaces ?? []) {
      implementations.set(name.value, [...(implementations.get(name.value) ?? []), node.name.value]);
    }
  }
  const reached = new Set<string>();
  const next = ['Query', 'Mutation', 'Subscription'];
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    const type = types.get(name);
    if (!type || reached.has(name)) continue;
    reached.add(name);
    next.push(...(implementations.get(name) ?? []));
    visit(type, {
      enter(node) {
        if (node.kind === Kind.NAMED_TYPE) next.push(node.name.value);
      },
    });
  }
  return reached;
}

/**
 * Returns the reasons why an API cannot be recorded as released. Between releases nothing is removed. A new release
 * may remove only the deprecated elements whose sunset date has come.
 * @param today YYYY-MM-DD
 */
export const unreleasable = (
  released: string,
  current: string,
  { today, newRelease }: { today: string; newRelease: boolean },
): Promise<string[]> => breakingChanges(released, current, newRelease ? today : beforeAnySunset);

const beforeAnySunset = '0000-01-01';

if (import.meta.main) {
  const current = await composeApi();
  const released = await readFile(releasedApiPath, 'utf8');
  const today = new Date().toISOString().slice(0, 10);
  const check = process.argv.includes('--check');
  const newRelease = check || process.argv.includes('--new-release');
  const problems = await unreleasable(released, current, { today, newRelease });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    process.exitCode = 1;
    if (!newRelease) console.error('Deprecated elements can be removed with a new release: --new-release.');
  } else if (!check) {
    await writeFile(releasedApiPath, current);
  }
}
