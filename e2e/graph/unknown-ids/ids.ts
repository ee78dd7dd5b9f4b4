import { randomUUID } from 'node:crypto';
import { type DemoTenant, runningDemo, unique } from '../../support/demo.ts';
import { graph } from '../../support/graph.ts';
import { adminToken, signIn } from '../../support/sign-in.ts';

export const demo = runningDemo();
export const ours: DemoTenant = demo.tenants.demo;
export const rival: DemoTenant = demo.tenants.rival;

/** Ids that do not exist. Malformed ids must not be distinguishable from well-formed ones. */
export const unknown = randomUUID();
export const malformed = [
  'nonsense',
  '',
  ' ',
  '0',
  '-1',
  '01900000-0000-7000-8000-00000000000g',
  '01900000-0000-7000-8000-000000000000 ',
  '{01900000-0000-7000-8000-000000000000}',
  '01900000000070008000000000000000',
  '01900000-0000-7000-8000-00000000000A',
  '\u0000',
  "'; --",
  '%00/../..',
  'ünknown',
  'x'.repeat(300),
];

/** Credentials and ids of the test. */
export interface Asking {
  /** Ids of objects of the other tenant, one of each kind. */
  foreign: readonly string[];
  tokens: { app: string; person: string };
  own: Record<'user' | 'group' | 'client' | 'connector' | 'serviceAccount', string>;
}

const things = `{
  users(first: 1) { edges { node { id sessions { id } } } } groups(first: 1) { edges { node { id } } }
  clients(first: 1) { edges { node { id } } } connectors(first: 1) { edges { node { id } } }
  serviceAccounts(first: 1) { edges { node { id } } } auditLog(first: 1) { edges { node { id } } }
}`;

interface Node {
  node: { id: string };
}

const idsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(idsIn)
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, each]) => (name === 'id' ? [String(each)] : idsIn(each)))
      : [];

async function belongings(tenant: DemoTenant): Promise<Record<string, { edges: Node[] }>> {
  const token = await adminToken(tenant);
  const make =
    'mutation ($name: String!) { createGroup(input: { displayName: $name }) { group { id } } createServiceAccount(input: { name: $name, scopes: ["users:read"] }) { serviceAccount { id } problems { message } } }';
  await graph(demo, token, make, { name: unique('thing') });
  const { data, errors } = await graph(demo, token, things);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data;
}

/** Creates missing objects and signs in. */
export async function prepare(): Promise<Asking> {
  const [elsewhere, here] = await Promise.all([belongings(ours), belongings(rival)]);
  const first = (name: string): string => here[name]?.edges[0]?.node.id ?? '';
  const own = {
    user: first('users'),
    group: first('groups'),
    // Not the client that sends the requests: a change to it may end its tokens.
    client: rival.clients.api.client_id,
    connector: first('connectors'),
    serviceAccount: first('serviceAccounts'),
  };
  const person = await signIn(demo, rival, rival.users.admin, {
    scope:
      'openid users:read users:write groups:read groups:write clients:read clients:write sessions:read sessions:write roles:read roles:write connectors:read connectors:write',
  }).catch(() => undefined);
  const app = await adminToken(rival);
  return { foreign: idsIn(elsewhere), tokens: { app, person: person?.tokens.access_token ?? app }, own };
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Removes the requested id, which responses may repeat. */
export const without = (value: unknown, id: string): string => {
  // The message names the id of an unknown member, at most 60 characters of it. The graph replaces values that cannot
  // be ids with `!`.
  const named = [id.length > 60 ? `${id.slice(0, 60)}…` : id, '!'].map(
    (one) => `Member ${JSON.stringify(one)} is`,
  );
  // The message is in JSON, possibly as a string within JSON.
  const text = named
    .flatMap((message) => [inJson(inJson(message)), inJson(message)])
    .reduce((rest, message) => rest.replaceAll(message, 'Member <id> is'), JSON.stringify(value ?? null));
  const said = inJson(id);
  return id.length < 3 ? text : text.replaceAll(said, '<id>').replaceAll(said.toLowerCase(), '<id>');
};
