import { Failure } from '../failure.ts';
import { GroupsCalled, PartyNames, UsersCalled } from '../graph/generated/parties.ts';
import type { Graph } from '../graph/graph.ts';
import type { Item, Plain } from './document.ts';

/** A user by user name, or a group by its name: ids are specific to a tenant. */
export type Party = { readonly user: string } | { readonly group: string };

/** Maximum number of ids in one request of the graph. */
const together = 100;

/** Returns the names of users and groups; deleted ones have no entry. */
export async function partyNames(graph: Graph, ids: readonly string[]): Promise<ReadonlyMap<string, Party>> {
  const names = new Map<string, Party>();
  const all = [...new Set(ids)];
  for (let at = 0; at < all.length; at += together) {
    const { nodes } = await graph.ask(PartyNames, { ids: all.slice(at, at + together) });
    for (const node of nodes ?? []) {
      if (node && 'userName' in node) names.set(node.id, { user: node.userName });
      else if (node && 'displayName' in node) names.set(node.id, { group: node.displayName });
    }
  }
  return names;
}

const textOf = (party: Party): string => ('user' in party ? `user ${party.user}` : `group ${party.group}`);

const texts = (value: Plain | undefined): readonly string[] => (value ?? []) as readonly string[];

/** Returns the users and groups that an item names. */
function partiesIn({ handOverCredentialsTo, protectedUsers, protectedGroups, group }: Item): Party[] {
  return [
    ...(handOverCredentialsTo ? [handOverCredentialsTo as Party] : []),
    ...texts(protectedUsers).map((user) => ({ user })),
    ...texts(protectedGroups).map((name) => ({ group: name })),
    ...(typeof group === 'string' ? [{ group }] : []),
  ];
}

/** Ids of users and groups in the target tenant. */
export class Parties {
  readonly #ids: ReadonlyMap<string, string>;

  private constructor(ids: ReadonlyMap<string, string>) {
    this.#ids = ids;
  }

  /**
   * Resolves all users and groups of the items before anything is changed.
   * @throws Failure notFound: users and groups come from identity sources and are not created here
   */
  static async of(graph: Graph, items: readonly Item[]): Promise<Parties> {
    const named = new Map(items.flatMap(partiesIn).map((party) => [textOf(party), party]));
    const ids = new Map<string, string>();
    for (const [text, party] of named) {
      const [id, ...others] = await idsOf(graph, party);
      if (id === undefined)
        throw new Failure('notFound', `The file names a ${text} that does not exist.`, [
          'Users and groups are created by an identity source or in the graph. Apply the file again when they exist.',
        ]);
      if (others.length > 0) throw new Failure('conflict', `The name in the file is ambiguous: ${text}.`);
      ids.set(text, id);
    }
    return new Parties(ids);
  }

  idOf(party: Party): string {
    return this.#ids.get(textOf(party)) ?? '';
  }
}

async function idsOf(graph: Graph, party: Party): Promise<string[]> {
  if ('user' in party) {
    const { users } = await graph.ask(UsersCalled, { name: party.user });
    return (users?.edges ?? []).flatMap(({ node }) => (node ? [node.id] : []));
  }
  const { groups } = await graph.ask(GroupsCalled, { name: party.group });
  return (groups?.edges ?? []).flatMap(({ node }) => (node ? [node.id] : []));
}
