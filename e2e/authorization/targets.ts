import { type AccessPath, documentFor } from './asking.ts';
import { type Belongings, kinds } from './belongings.ts';
import { deepIn, given, models, nobody, ofSingleUsers, otherFields } from './doors.ts';
import { type Model, named, type Subgraph } from './model.ts';
import { selectionOf } from './mutations.ts';
import { type Answer, send } from './observe.ts';
import type { Actor, World } from './world.ts';

type Kind = keyof Belongings;

/** A query of an object: its call, with the kind of object instead of an id. */
interface Target {
  call: string;
  as?: string;
  without?: ReadonlySet<string>;
}

/** Fields of Query that take ids, with each argument that takes one. */
const queries: Readonly<Record<string, readonly Target[]>> = {
  ...Object.fromEntries(
    (
      [
        'user',
        'group',
        'client',
        'api',
        'serviceAccount',
        'webhook',
        'signalStream',
        'delivery',
        'schema',
        'connector',
        'tenant',
      ] as const
    ).map((kind) => [kind, [{ call: `${kind}(id: "$${kind}")` }]]),
  ),
  tenantPolicy: [{ call: 'tenantPolicy(id: "$tenant")' }],
  signInAttempt: [{ call: 'signInAttempt(id: "$signInAttempt")' }],
  provisioningLogEntry: [{ call: 'provisioningLogEntry(id: "$logEntry")' }],
  provisioningLog: [
    { call: 'provisioningLog(first: 2, source: "$connector")' },
    { call: 'provisioningLog(first: 2, resourceId: "$user")' },
  ],
  claimPreview: [{ call: 'claimPreview(userId: "$user", clientId: "$client", apiId: "$api")' }],
  departures: [{ call: 'departures(userId: "$departed")', without: ofSingleUsers }],
  node: [
    { call: 'node(id: "$user")', as: 'User' },
    { call: 'node(id: "$group")', as: 'Group' },
    { call: 'node(id: "$schema")', as: 'Schema' },
    { call: 'node(id: "$tenant")', as: 'Tenant' },
    { call: 'node(id: "$auditEntry")', as: 'AuditEntry' },
    ...(
      [
        'client',
        'connector',
        'webhook',
        'serviceAccount',
        'signalStream',
        'delivery',
        'securityEvent',
        'signInAttempt',
        'connectorLogEntry',
        'session',
        'grant',
        'delegation',
        'personalAccessToken',
        'apiKey',
        'signingKey',
        'initialAccessToken',
        'trustedIssuer',
        'api',
      ] as const
    ).map((kind) => ({
      call: `node(id: "$${kind}")`,
      as: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    })),
    { call: 'node(id: "$logEntry")', as: 'ProvisioningLogEntry' },
  ],
  nodes: [
    { call: 'nodes(ids: ["$user", "$group"])', as: 'User' },
    { call: 'nodes(ids: ["$connector", "$session"])', as: 'Connector' },
  ],
};

const entities: Readonly<Record<string, Kind>> = {
  User: 'user',
  Group: 'group',
  Tenant: 'tenant',
  Client: 'client',
  ServiceAccount: 'serviceAccount',
  Webhook: 'webhook',
  SignalStream: 'signalStream',
  Delivery: 'delivery',
  SecurityEvent: 'securityEvent',
  SignInAttempt: 'signInAttempt',
  Session: 'session',
  Grant: 'grant',
  Delegation: 'delegation',
  PersonalAccessToken: 'personalAccessToken',
  ApiKey: 'apiKey',
  SigningKey: 'signingKey',
  InitialAccessToken: 'initialAccessToken',
  TrustedIssuer: 'trustedIssuer',
  Api: 'api',
  Connector: 'connector',
  ConnectorLogEntry: 'connectorLogEntry',
  ProvisioningLogEntry: 'logEntry',
};

const user = 'userId: "$user"';
const group = 'groupId: "$group"';

/** Inputs of mutations that take ids, otherwise valid; null where the id names a new object. */
const inputs: Readonly<Record<string, string | null>> = {
  ...Object.fromEntries(
    Object.entries({
      user: ['updateUser', 'deactivateUser', 'reactivateUser', 'deleteUser', 'restoreUser', 'purgeUser'],
      group: ['updateGroup', 'deleteGroup', 'restoreGroup', 'purgeGroup'],
      session: ['revokeSession'],
      grant: ['revokeGrant'],
      delegation: ['endDelegation'],
      personalAccessToken: ['revokePersonalAccessToken'],
      client: ['rotateClientSecret', 'updateClient', 'deleteClient', 'disableClient', 'enableClient'],
      serviceAccount: ['updateServiceAccount', 'deleteServiceAccount'],
      apiKey: ['revokeApiKey'],
      serviceAccountKey: ['removeServiceAccountKey'],
      initialAccessToken: ['revokeInitialAccessToken'],
      trustedIssuer: ['deleteTrustedIssuer'],
      api: ['updateApi', 'deleteApi'],
      issuerSubject: ['unbindIssuerSubject'],
      webhook: ['updateWebhook', 'rotateWebhookSecret', 'deleteWebhook', 'testWebhook'],
      delivery: ['replayDelivery', 'discardDelivery'],
      signalStream: ['deleteSignalStream'],
      schema: ['updateSchema', 'deleteSchema'],
      connector: [
        'rotateConnectorToken',
        'updateConnector',
        'deleteConnector',
        'disableConnector',
        'enableConnector',
      ],
      tenant: ['suspendTenant', 'resumeTenant', 'updateTenant', 'updateTenantPolicy'],
    }).flatMap(([kind, names]) => names.map((name) => [name, `id: "$${kind}"`])),
  ),
  transferCredential: 'kind: CLIENT, id: "$client", ownerId: "$user"',
  transferConnector: 'id: "$connector", ownerId: "$user"',
  updateSignalStream: 'id: "$signalStream", status: PAUSED',
  replayDeadDeliveries: 'receiverId: "$webhook"',
  createServiceAccount: 'name: "x", scopes: ["users:read"], ownerId: "$user"',
  createApiKey: 'serviceAccountId: "$serviceAccount", name: "x", ownerId: "$user"',
  addServiceAccountKey: 'serviceAccountId: "$serviceAccount", jwk: "{}"',
  bindIssuerSubject: 'trustedIssuerId: "$trustedIssuer", subject: "x", userId: "$user"',
  createTrustedIssuer:
    'name: "x", issuer: "https://x.example", jwksUri: "https://x.example/jwks", clientIds: ["$client"], scopes: ["users:read"]',
  registerClient:
    'name: "x", tokenEndpointAuthMethod: CLIENT_SECRET_BASIC, grantTypes: ["client_credentials", "urn:ietf:params:oauth:grant-type:token-exchange"], scopes: [], mayAct: "$client", tokenExchange: { subjectClients: ["$client"] }',
  revokeAllSessions: user,
  removeAuthenticatorApp: user,
  removePasskey: `id: "${nobody}", ${user}`,
  assignRole: `${user}, role: AUDITOR`,
  removeRole: `${user}, role: AUDITOR`,
  inviteUser: user,
  resetUserAccess: user,
  assignGroupRole: `${group}, role: AUDITOR`,
  removeGroupRole: `${group}, role: AUDITOR`,
  assignApiRole: `${user}, apiId: "$api", role: "reader"`,
  removeApiRole: `${user}, apiId: "$api", role: "reader"`,
  assignGroupApiRole: `${group}, apiId: "$api", role: "reader"`,
  removeGroupApiRole: `${group}, apiId: "$api", role: "reader"`,
  updateClientDocumentPolicy: 'hosts: ["app.example"], apiIds: ["$api"]',
  createGroup: 'displayName: "x", memberIds: ["$user"]',
  addGroupMembers: `${group}, memberIds: ["$user"]`,
  removeGroupMembers: `${group}, memberIds: ["$user"]`,
  createConnector: 'name: "", protectedAccounts: { userIds: ["$user"], groupIds: ["$group"] }',
  revokeConnectorToken: 'id: "$connector", tokenId: "$connectorToken"',
  createTenant: null,
  createSchema: null,
};

/** An unknown id of every kind. */
const nothing = Object.fromEntries(
  kinds.map((kind) => [kind, kind === 'schema' ? 'urn:example:nobody:2.0:User' : nobody]),
) as Belongings;

const about = (text: string, belongings: Belongings): string =>
  text.replace(/\$(\w+)/g, (_, kind: string) => {
    const id = belongings[kind as Kind];
    if (id === undefined) throw new Error(`${text}: there is no ${kind}`);
    return id;
  });

/** Returns an answer without the differences between two ids. */
function anonymous({ status, data, errors }: Answer, of: Belongings): unknown {
  let text = JSON.stringify({
    status,
    data,
    errors: errors?.map(({ message, path, extensions }) => ({ message, path, extensions })),
  });
  for (const id of new Set(Object.values(of)))
    text = text.replaceAll(`Member \\"${id}\\" is`, 'Member <id> is').replaceAll(`"${id}"`, '"<id>"');
  return JSON.parse(text);
}

/** Answers to one caller about existing objects and about unknown ids. */
export interface Compared {
  door: string;
  theirs: unknown;
  none: unknown;
}

const compared = async (
  door: string,
  of: Belongings,
  ask: (about: Belongings) => Promise<Answer>,
): Promise<Compared> => {
  const [theirs, none] = [await ask(of), await ask(nothing)];
  return { door, theirs: anonymous(theirs, of), none: anonymous(none, nothing) };
};

const takesId = (
  model: Model,
  field: { arguments: readonly { type: Parameters<typeof named>[0] }[] },
): boolean => field.arguments.some(({ type }) => idIn(model, named(type)));

function idIn(model: Model, type: string, seen: ReadonlySet<string> = new Set()): boolean {
  if (type === 'ID') return true;
  if (seen.has(type)) return false;
  return (model.inputs.get(type) ?? []).some((field) =>
    idIn(model, named(field.type), new Set([...seen, type])),
  );
}

const places = Object.entries(models) as [Subgraph | 'gateway', Model][];

const hasOneScope = ({ name }: Actor): boolean => /^app:[^*]/.test(name);

/** Reports whether the caller could satisfy a rule; a client with another scope is rejected before any lookup. */
const concerns = (who: Actor, rules: readonly string[]): boolean =>
  !hasOneScope(who) || rules.some((rule) => rule.includes(who.name.slice('app:'.length)));

/**
 * Reads these objects by id as an actor of another tenant, with every query. @throws Error when a query takes an id
 * that `queries` does not define
 */
export function readings(world: World, who: Actor, of: Belongings): (() => Promise<Compared>)[] {
  // A client with one scope sends only plain queries to the subgraphs, which enforce the rules.
  const few = hasOneScope(who);
  return places.flatMap(([place, model]) => {
    if (few && place === 'gateway') return [];
    const url = world.urls[place];
    const base = { url, model, subjects: [] };
    const doors: (AccessPath & { rules: string[] })[] = [];
    for (const [name, field] of model.objects.get('Query')?.fields ?? []) {
      const targets = queries[name];
      if (!targets && field.arguments.some(({ type }) => named(type) === 'ID'))
        throw new Error(`${field.coordinate} takes an id: say in ${import.meta.url} of what`);
      for (const { call, as, without } of targets ?? [])
        doors.push({
          ...base,
          name: `${place} ${call}`,
          field: name,
          call,
          as,
          without: without ?? deepIn(name),
          style: 'plain',
          rules: [field.rule],
        });
    }
    for (const { name: type, isEntity, fields } of place === 'gateway' ? [] : model.objects.values()) {
      if (!isEntity) continue;
      const kind = entities[type];
      if (!kind) throw new Error(`${type} is an entity: say in ${import.meta.url} of which kind`);
      const rules = [...fields.values()].map(({ rule }) => rule);
      const call = `$${kind}`;
      const entity = { ...base, field: '_entities', call, entity: type, rules };
      const name = `${place} ${type}`;
      // An operation may have at most 200 aliases, so the disguised fields of a user are read in two parts.
      const plain = type === 'User' ? undefined : ofSingleUsers;
      doors.push({ ...entity, name: `${name} plain`, style: 'plain', without: plain });
      if (few) continue;
      doors.push({ ...entity, name: `${name} disguised`, style: 'disguised', without: ofSingleUsers });
      if (type === 'User' && place === 'auth')
        doors.push({
          ...entity,
          name: `${name} disguised, of single users`,
          style: 'disguised',
          without: otherFields(model),
        });
    }
    return doors
      .filter(({ rules }) => concerns(who, rules))
      .map(
        (door) => () =>
          compared(door.name, of, (belongings) => {
            const call = about(door.call, belongings);
            const { query } = documentFor({ ...door, call }, given);
            return send(url, who, query, {
              r: door.entity === undefined ? [] : [{ __typename: door.entity, id: call }],
            });
          }),
      );
  });
}

/** Number of mutations per request. */
const batch = 28;

/**
 * Tries every mutation on these objects as an actor of another tenant, at the gateway and at its subgraph. @throws
 * Error when a mutation takes an id that `inputs` does not define
 */
export function changes(
  world: World,
  who: Actor,
  of: Belongings,
  concerned: (rule: string) => boolean = () => true,
): (() => Promise<Compared>)[] {
  return places.flatMap(([place, model]) => {
    const calls = [...(model.objects.get('Mutation')?.fields ?? [])].flatMap(([name, field]) => {
      if (!takesId(model, field)) return [];
      const input = inputs[name];
      if (input === undefined)
        throw new Error(`${field.coordinate} takes an id: say in ${import.meta.url} of what`);
      return input === null || !concerned(field.rule)
        ? []
        : [`${name}(input: { ${input} })${selectionOf(model, field)}`];
    });
    return Array.from({ length: Math.ceil(calls.length / batch) }, (_, index) => {
      const some = calls.slice(index * batch, (index + 1) * batch);
      const document = `mutation { ${some.join(' ')} }`;
      return () =>
        compared(`${place} ${document}`, of, (belongings) =>
          send(world.urls[place], who, about(document, belongings)),
        );
    });
  });
}
