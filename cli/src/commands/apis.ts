import { randomUUID } from 'node:crypto';
import { type Described, identifierOf } from '../configuration/document.ts';
import { Failure } from '../failure.ts';
import {
  Apis,
  type ApisQuery,
  ChangeApi,
  type ChangeApiMutationVariables,
  GroupById,
} from '../graph/generated/apis.ts';
import { GroupsCalled } from '../graph/generated/parties.ts';
import { type Graph, made } from '../graph/graph.ts';
import { type Cell, quoted } from '../output/text.ts';
import type { Context } from './context.ts';
import { isUserId } from './users.ts';

export type FoundApi = NonNullable<NonNullable<ApisQuery['apis']>['edges'][number]['node']>;

export async function allApis(context: Context, graph: Graph): Promise<FoundApi[]> {
  const found: FoundApi[] = [];
  for await (const api of graph.all(Apis, {}, ({ apis }) => apis)) {
    found.push(api);
    context.mayGoOn();
  }
  return found;
}

/** Returns one API, by id, identifier or name. @throws Failure notFound; conflict when several have the name */
export async function apiNamed(context: Context, graph: Graph, name: string): Promise<FoundApi> {
  const all = await allApis(context, graph);
  const exact = all.filter(({ id, identifier }) => id === name || identifier === identifierOf(name));
  const [only, other] = exact.length > 0 ? exact : all.filter((each) => each.name === name);
  if (only === undefined) throw new Failure('notFound', `There is no API ${name}.`, 'ostiary api list');
  if (other === undefined) return only;
  throw new Failure(
    'conflict',
    `Several APIs have the name ${name}: use the identifier.`,
    all.filter((each) => each.name === name).map(({ identifier }) => identifier),
  );
}

/** @throws Failure notFound */
export function requireRole({ name, identifier, roles }: FoundApi, role: string): void {
  if (roles.some((each) => each.name === role)) return;
  throw new Failure(
    'notFound',
    `${name} has no role ${role}.`,
    `ostiary api roles list ${quoted(identifier)}`,
  );
}

/** Changes the version of an API that was read. @throws Failure conflict after a concurrent change */
export async function changed(
  graph: Graph,
  { id, version }: FoundApi,
  changes: Omit<ChangeApiMutationVariables['input'], 'id' | 'version' | 'idempotencyKey'>,
): Promise<{ id: string; identifier: string; name: string; version: number }> {
  const input = { ...changes, id, version, idempotencyKey: randomUUID() };
  const { api } = made((await graph.ask(ChangeApi, { input })).updateApi);
  if (!api) throw new Failure('failure', 'The graph does not return the API.');
  return api;
}

type Description = NonNullable<Described['descriptions']>[number];

/** Parses `[de] Bestellungen ansehen`; without a language tag the text is English. @throws Failure usage */
export function descriptionIn(option: string, given: string): Description {
  const [, language = 'en', text = ''] = /^\s*(?:\[([^\]]*)\])?\s*(.*)$/s.exec(given) ?? [];
  if (language !== '' && text.trim() !== '') return { language: language.toLowerCase(), text: text.trim() };
  throw new Failure('usage', `${option} needs a text, such as "See orders" or "[de] Bestellungen ansehen".`);
}

/** Returns descriptions, of which the later of two in a language counts, by language. */
export function descriptionsOf(descriptions: readonly Description[]): Description[] {
  const texts = new Map(descriptions.map(({ language, text }) => [language, text]));
  return [...texts].map(([language, text]) => ({ language, text }));
}

/**
 * Parses names with optional descriptions, such as `orders:read [de] Bestellungen ansehen`. A name that is repeated has
 * several descriptions.
 * @throws Failure usage
 */
export function describedIn(option: string, given: readonly string[]): Described[] {
  const found = new Map<string, Description[]>();
  for (const each of given) {
    const [, name = '', rest = ''] = /^\s*(\S+)(.*)$/s.exec(each) ?? [];
    if (name === '') throw new Failure('usage', `${option} needs a name, such as "orders:read See orders".`);
    const description = rest.trim() === '' ? [] : [descriptionIn(option, rest)];
    found.set(name, [...(found.get(name) ?? []), ...description]);
  }
  return [...found].map(([name, descriptions]) => ({ name, descriptions: descriptionsOf(descriptions) }));
}

/** Values of an input of the graph, which have no readonly lists. */
export const inputOf = (
  described: readonly Described[],
): { name: string; descriptions: { language: string; text: string }[] }[] =>
  described.map(({ name, descriptions = [] }) => ({
    name,
    descriptions: descriptions.map(({ language, text }) => ({ language, text })),
  }));

/** Returns a row for each description. */
export const rowsOf = (described: readonly Described[]): Cell[][] =>
  described.flatMap(({ name, descriptions = [] }) =>
    descriptions.length === 0
      ? [[name, null, null]]
      : descriptions.map(({ language, text }) => [name, language, text]),
  );

/** Returns one group, by id or name. @throws Failure notFound; conflict when several have the name */
export async function groupNamed(graph: Graph, name: string): Promise<{ id: string; displayName: string }> {
  if (isUserId(name)) {
    const { group } = await graph.ask(GroupById, { id: name.toLowerCase() });
    if (group) return group;
    throw new Failure('notFound', `There is no group with the id ${name}.`);
  }
  const { groups } = await graph.ask(GroupsCalled, { name });
  const [only, other] = groups?.edges.flatMap(({ node }) => node ?? []) ?? [];
  if (only === undefined) throw new Failure('notFound', `There is no group ${name}.`);
  if (other === undefined) return only;
  throw new Failure('conflict', `Several groups have the name ${name}: use the id.`, [only.id, other.id]);
}
