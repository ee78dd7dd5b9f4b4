import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { apiScopes } from '@ostiary/access';
import { uuidv7 } from '@ostiary/service';
import { insertReceiver } from '../../../src/signals/data/receivers.ts';
import { type Asking, startAsking } from './asking.ts';
import { rival, tenant } from './service.ts';

/** Set by `setUpChanging`. */
export let asking: Asking;
export let admin: string;
export let rivalAdmin: string;
let clientId: string;
export let webhookId: string;
export const mutations = new Map<string, Mutation>();

interface Mutation {
  input: string;
  takesKey: boolean;
  selection: string;
}

interface TypeRef {
  kind: string;
  name: string | null;
  ofType: TypeRef | null;
}
interface Field {
  name: string;
  type: TypeRef;
}

const named = (type: TypeRef): TypeRef => (type.ofType ? named(type.ofType) : type);

/** Returns the selection of a payload: its scalar fields, and the ids of its objects. */
function selectionOf(fields: readonly Field[], idsOf: (type: string) => boolean): string {
  return fields
    .map(({ name, type }) => {
      const { kind, name: of } = named(type);
      if (name === 'problems') return 'problems { code }';
      if (kind === 'SCALAR' || kind === 'ENUM') return name;
      return idsOf(of ?? '') ? `${name} { id }` : `${name} { __typename }`;
    })
    .join(' ');
}

const introspection = `{ __schema { mutationType { fields { name args { type { ...T } } type { ...T } } }
  types { name fields { name type { ...T } } inputFields { name } } } }
  fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`;

/** Starts the service, signs in administrators of two tenants, and reads every mutation from the schema. */
export function setUpChanging(): void {
  beforeAll(async () => {
    asking = await startAsking({ OUTGOING_ALLOW_PRIVATE: 'true' });
    admin = await asking.machine(Object.keys(apiScopes).join(' '));
    rivalAdmin = await asking.machine(Object.keys(apiScopes).join(' '), rival);
    const { __schema: schema } = (await asking.ask(introspection, {}, admin)).data;
    const types = new Map<string, { fields: Field[] | null; inputFields: { name: string }[] | null }>(
      schema.types.map((type: { name: string }) => [type.name, type]),
    );
    const fieldsOf = (name: string) => types.get(name)?.fields ?? [];
    for (const { name, args, type } of schema.mutationType.fields) {
      const input = named(args[0].type).name ?? '';
      mutations.set(name, {
        input,
        takesKey: types.get(input)?.inputFields?.some((field) => field.name === 'idempotencyKey') === true,
        selection: selectionOf(fieldsOf(named(type).name ?? ''), (of) =>
          fieldsOf(of).some((field) => field.name === 'id'),
        ),
      });
    }
    clientId = await newClient();
    webhookId = await newWebhook();
  });
  afterAll(() => asking?.service.stop());
}

/** Runs a mutation and returns its payload with the ids of its objects; `problems` has codes. */
export async function run(name: string, input: object, token = admin) {
  const { input: type, selection } = mutations.get(name) as Mutation;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`;
  const { data, errors } = await asking.ask(query, { input }, token);
  return data?.[name] ?? { errors };
}

const sql = () => asking.service.deps.database.sql;
/** Returns the `value` of a statement's first row. */
export const column = async (text: string, values: readonly unknown[] = []): Promise<string> =>
  (await sql().query<{ value: string }>(text, values)).rows[0]?.value ?? '';

let counter = 0;
export const unique = (): string => {
  counter += 1;
  return `once-${counter}`;
};

export const newClient = async (): Promise<string> =>
  (
    await run('registerClient', {
      name: unique(),
      redirectUris: ['https://app.example/cb'],
      grantTypes: ['authorization_code', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    })
  ).client.id;
export const newApi = async (): Promise<string> => {
  const name = unique();
  const [scopes, roles] = [[{ name: `${name}:read` }], [{ name: 'reader' }]];
  return (await run('registerApi', { identifier: `https://${name}.example/`, name, scopes, roles })).api.id;
};
/** Returns a role of a new API with a user or group. */
export const newApiRole = async (of: 'userId' | 'groupId'): Promise<object> => ({
  [of]: of === 'userId' ? await newPerson() : newGroup(),
  apiId: await newApi(),
  role: 'reader',
});
export const newWebhook = async (): Promise<string> =>
  (
    await run('createWebhook', {
      name: unique(),
      endpoint: 'http://127.0.0.1:4/',
      types: ['USER_UPDATED'],
    })
  ).webhook.id;
export const newAccount = async (): Promise<string> =>
  (await run('createServiceAccount', { name: unique(), scopes: ['users:read'] })).serviceAccount.id;
export const newPerson = async (): Promise<string> => {
  const { id } = await asking.service.person(unique());
  await asking.service.deps.subjects.find(tenant, id);
  return id;
};
export const newGroup = (): string => asking.service.directory.groups.create(tenant, []);
/** Creates a group that can be an owner: an active member may manage it. */
export async function newTeam(): Promise<string> {
  const { id } = asking.service.directory.addUser(tenant, unique());
  await asking.service.deps.subjects.find(tenant, id);
  await asking.service.deps.subjects.assignRole(tenant, id, 'tenant_admin');
  return asking.service.directory.groups.create(tenant, [id]);
}
export const newStream = async (): Promise<string> => {
  const id = uuidv7();
  const settings = { eventsRequested: [], format: 'opaque', variants: {} };
  const stream = { id, kind: 'ssf', name: '', clientId, endpoint: null, status: 'enabled' } as const;
  await insertReceiver(sql(), tenant, { ...stream, factTypes: [], settings, secrets: null }, 100);
  return id;
};
/** Creates a delivery to a separate paused webhook, so that no worker sends it. */
export async function newDelivery(): Promise<{ id: string; receiverId: string }> {
  const receiverId = await newWebhook();
  const { deliveryId: id } = await run('testWebhook', { id: receiverId });
  await run('updateWebhook', { id: receiverId, status: 'PAUSED' });
  await sql().query(
    `UPDATE auth.deliveries SET state = 'dead', finished_at = now(), leased_until = NULL WHERE id = $1`,
    [id],
  );
  return { id, receiverId };
}
export const newKey = (): string => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: unique() });
};
export const addKey = async () =>
  (await run('addServiceAccountKey', { serviceAccountId: await newAccount(), jwk: newKey() })).publicKey.id;
export const newApiKey = async () =>
  (await run('createApiKey', { serviceAccountId: await newAccount(), name: 'a' })).apiKey.id;
export const signedIn = () => asking.signedIn(unique());
export const ofUser = async (table: 'sessions' | 'grants') =>
  column(`SELECT id::text AS value FROM auth.${table} WHERE subject_id = $1`, [(await signedIn()).id]);
export const issuer = () => ({
  name: 'Partner',
  issuer: `https://${unique()}.example`,
  jwksUri: 'https://partner.example/keys',
  clientIds: [clientId],
  scopes: ['openid'],
});
export const newIssuer = async (): Promise<string> =>
  (await run('createTrustedIssuer', issuer())).trustedIssuer.id;
export const newBinding = async (): Promise<string> => {
  const binding = { trustedIssuerId: await newIssuer(), subject: unique(), userId: await newPerson() };
  return (await run('bindIssuerSubject', binding)).issuerSubject.id;
};
