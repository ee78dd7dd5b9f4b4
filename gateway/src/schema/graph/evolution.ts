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

/** The API as it was released last; clients out there were written against it. */
export const releasedApiPath = fileURLToPath(new URL('../../../released-api.graphql', import.meta.url));

/** Why changing an API from `released` to `current` would break clients that were given no notice, one sentence each. */
export async function breakingChanges(released: string, current: string, today: string): Promise<string[]> {
  const before = buildASTSchema(withoutSunset(parse(released), today), { assumeValidSDL: true });
  const changes = await diff(before, buildSchema(current));
  return changes
    .filter((change) => change.criticality.level === CriticalityLevel.Breaking)
    .map((change) => change.message);
}

const sunsetPattern = /\bsunset: (\d{4}-\d{2}-\d{2})\b/;

/** The day from which something deprecated may be taken away (YYYY-MM-DD); `undefined` when none is named. */
function sunsetOf(node: { readonly directives?: readonly DirectiveNode[] | undefined }): string | undefined {
  const reason = node.directives
    ?.find(({ name }) => name.value === 'deprecated')
    ?.arguments?.find(({ name }) => name.value === 'reason')?.value;
  const day = reason?.kind === Kind.STRING ? sunsetPattern.exec(reason.value)?.[1] : undefined;
  return day !== undefined && !Number.isNaN(Date.parse(day)) ? day : undefined;
}

/** Whatever is deprecated in the API without saying until when it stays, as coordinates. */
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

/** An API without what may have been taken away by `today`, and without the types that only that led to. */
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

/** Names of the types that queries, mutations and subscriptions lead to. */
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
 * What keeps an API from being recorded as released. Between releases nothing is taken away; a new release may leave out
 * what an earlier one announced and whose day has come, and nothing else.
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
