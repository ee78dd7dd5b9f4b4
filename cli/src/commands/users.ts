import { Failure } from '../failure.ts';
import {
  Doors,
  type DoorsQuery,
  FindUsers,
  type FindUsersQuery,
  UserById,
} from '../graph/generated/users.ts';
import type { Graph } from '../graph/graph.ts';

export type FoundUser = NonNullable<NonNullable<FindUsersQuery['users']>['edges'][number]['node']>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUserId = (name: string): boolean => uuid.test(name);

/**
 * Returns one user, by id, user name or email address. @throws Failure notFound; conflict when several have the address
 */
export async function userNamed(graph: Graph, name: string): Promise<FoundUser> {
  if (uuid.test(name)) {
    const { user } = await graph.ask(UserById, { id: name.toLowerCase() });
    if (user) return user;
    throw new Failure('notFound', `There is no user with the id ${name}.`);
  }
  const where = { or: [{ userName: { equals: name } }, { email: { equals: name } }] };
  const { users } = await graph.ask(FindUsers, { where, first: 3 });
  const found = users?.edges.flatMap(({ node }) => node ?? []) ?? [];
  const exact = found.filter(({ userName }) => userName.toLowerCase() === name.toLowerCase());
  const [person, other] = exact.length === 1 ? exact : found;
  if (person === undefined) {
    throw new Failure(
      'notFound',
      `There is no user with the user name or email address ${name}.`,
      `ostiary user find ${JSON.stringify(name.slice(0, 20))}`,
    );
  }
  if (other === undefined) return person;
  throw new Failure('conflict', `Several users have the email address ${name}: use the id.`, [
    ...found.map(({ id, userName }) => `${id}  ${userName}`),
  ]);
}

/** Number of open access paths of a user by kind; kinds that cannot be counted are absent. */
export interface OpenDoors {
  sessions: number;
  grants: number;
  personalAccessTokens: number;
  apiKeys: number;
  clients: number;
  serviceAccounts: number;
  connectors: number;
}

export const accessPathNames: Readonly<Record<keyof OpenDoors, string>> = {
  sessions: 'browser sessions',
  grants: 'clients with a grant of the user',
  personalAccessTokens: 'personal access tokens',
  apiKeys: 'API keys owned',
  clients: 'clients owned',
  serviceAccounts: 'service accounts owned',
  connectors: 'connectors owned',
};

export interface AccessPathsOf {
  user: { id: string; userName: string; displayName?: string | null; active: boolean; version: number };
  roles: readonly string[];
  signInWays: string[];
  open: OpenDoors;
}

/** @throws Failure notFound */
export async function accessPathsOf(graph: Graph, id: string): Promise<AccessPathsOf> {
  const answer = await graph.ask(Doors, { id });
  const { user } = answer;
  if (!user) throw new Failure('notFound', `There is no user with the id ${id}.`);
  return accessPathsIn(answer, user);
}

/** Returns open access of a user who may have been deleted in the meantime. */
export async function openOf(
  graph: Graph,
  id: string,
): Promise<{ person: AccessPathsOf | null; open: OpenDoors }> {
  const answer = await graph.ask(Doors, { id });
  const person = answer.user ? accessPathsIn(answer, answer.user) : null;
  return { person, open: openIn(answer) };
}

type Asked = NonNullable<DoorsQuery['user']>;

function accessPathsIn(answer: DoorsQuery, user: Asked): AccessPathsOf {
  const { id, userName, displayName, active, version, credentials, roles } = user;
  return {
    user: { id, userName, displayName: displayName ?? null, active, version },
    roles: roles ?? [],
    signInWays: [
      ...(credentials?.hasPassword ? ['password'] : []),
      ...(credentials?.passkeys.length ? [`${credentials.passkeys.length} passkeys`] : []),
      ...(credentials?.hasAuthenticatorApp ? ['authenticator app'] : []),
    ],
    open: openIn(answer),
  };
}

const openIn = ({ user, ...owned }: DoorsQuery): OpenDoors => ({
  sessions: user?.sessionsConnection?.totalCount ?? 0,
  grants: user?.grantsConnection?.totalCount ?? 0,
  personalAccessTokens: user?.personalAccessTokens?.length ?? 0,
  apiKeys: owned.apiKeys?.totalCount ?? 0,
  clients: owned.clients?.totalCount ?? 0,
  serviceAccounts: owned.serviceAccounts?.edges.filter(({ node }) => node?.disabled === false).length ?? 0,
  connectors: owned.connectors?.edges.filter(({ node }) => node?.status === 'ACTIVE').length ?? 0,
});
