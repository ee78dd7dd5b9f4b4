import { readSchema, withScopesDirective } from '@ostiary/graph';
import type { AccessPath } from './asking.ts';
import { type Model, readModel, type Subgraph, subgraphs } from './model.ts';
import type { Arguments, Style } from './selection.ts';
import type { Actor, World } from './world.ts';

type Models = Readonly<Record<Subgraph | 'gateway', Model>>;

const root = new URL('../../', import.meta.url);

/** Returns the schema that a subgraph serves, with the common directives. */
const schemaOf = (name: Subgraph): string =>
  withScopesDirective(readSchema(new URL(`services/${name}/src/`, root)));

export const models: Models = {
  gateway: readModel(subgraphs.map(schemaOf)),
  auth: readModel([schemaOf('auth')]),
  directory: readModel([schemaOf('directory')]),
  provisioning: readModel([schemaOf('provisioning')]),
};

/** An id without an object. */
export const nobody = '01900000-0000-7000-8000-0a07403ae1ce';

/** Required arguments of fields, by coordinate. */
export const given: Arguments = {
  'User.attribute': 'path: "userName"',
  'Group.attribute': 'path: "displayName"',
};

interface Call {
  argument: string;
  subject?: string;
  as?: string;
}

/** Returns the arguments of fields of Query, with the user that they name. */
function calls(world: World, actor: Actor): Record<string, Call[]> {
  const { ids } = world;
  const user = (id: string) => ({ argument: `id: "${id}"`, subject: id });
  return {
    me: [{ argument: '', ...(actor.id === undefined ? {} : { subject: actor.id }) }],
    user: [user(ids.user), user(ids.administrator), ...(actor.id === undefined ? [] : [user(actor.id)])],
    group: [{ argument: `id: "${ids.group}"` }],
    client: [{ argument: `id: "${ids.client}"` }],
    api: [{ argument: `id: "${world.ours.api}"` }],
    serviceAccount: [{ argument: `id: "${ids.serviceAccount}"` }],
    connector: [{ argument: `id: "${ids.connector}"` }],
    signalStream: [{ argument: `id: "${ids.signalStream}"` }],
    webhook: [{ argument: `id: "${ids.webhook}"` }],
    delivery: [{ argument: `id: "${ids.delivery}"` }],
    schema: [{ argument: `id: "${ids.schema}"` }],
    provisioningLogEntry: [{ argument: `id: "${ids.logEntry}"` }],
    auditLog: bothEnds,
    deliveries: [{ argument: 'first: 20' }],
    securityLog: bothEnds,
    signInAttempt: [{ argument: `id: "${world.ours.signInAttempt}"`, subject: world.ours.user }],
    signInAttempts: [{ argument: 'first: 20' }],
    roleHolders: [{ argument: 'filter: { role: TENANT_ADMIN }, first: 2' }],
    groupsWithRole: [{ argument: 'filter: { role: TENANT_ADMIN }, first: 2' }],
    ...ofApis(ids),
    departures: [{ argument: `userId: "${ids.departed}"`, subject: ids.departed }],
    connectorLog: [{ argument: 'first: 20' }],
    node: [
      { ...user(ids.user), as: 'User' },
      ...(actor.id === undefined ? [] : [{ ...user(actor.id), as: 'User' }]),
      { argument: `id: "${ids.group}"`, as: 'Group' },
      { argument: `id: "${ids.schema}"`, as: 'Schema' },
      { argument: `id: "${world.tenant.id}"`, as: 'Tenant' },
      // A caller without a tenant finds nothing in it.
      ...(actor.name === 'platform'
        ? []
        : [
            { argument: `id: "${ids.client}"`, as: 'Client' },
            { argument: `id: "${ids.connector}"`, as: 'Connector' },
            { argument: `id: "${ids.webhook}"`, as: 'Webhook' },
            { argument: `id: "${ids.serviceAccount}"`, as: 'ServiceAccount' },
            { argument: `id: "${ids.signalStream}"`, as: 'SignalStream' },
            { argument: `id: "${ids.delivery}"`, as: 'Delivery' },
            { argument: `id: "${ids.securityEvent}"`, as: 'SecurityEvent' },
            { argument: `id: "${ids.logEntry}"`, as: 'ProvisioningLogEntry' },
            { argument: `id: "${ids.connectorLogEntry}"`, as: 'ConnectorLogEntry' },
            ...ofOurUser(world),
            { argument: `id: "${world.ours.apiKey}"`, as: 'ApiKey' },
            { argument: `id: "${world.ours.signingKey}"`, as: 'SigningKey' },
            { argument: `id: "${world.ours.initialAccessToken}"`, as: 'InitialAccessToken' },
            { argument: `id: "${world.ours.trustedIssuer}"`, as: 'TrustedIssuer' },
            { argument: `id: "${world.ours.api}"`, as: 'Api' },
          ]),
    ],
    nodes: [{ argument: `ids: ["${ids.group}"]`, as: 'Group' }],
  };
}

const ofOurUser = ({ ours }: World) =>
  (
    [
      ['signInAttempt', 'SignInAttempt'],
      ['session', 'Session'],
      ['grant', 'Grant'],
      ['delegation', 'Delegation'],
      ['personalAccessToken', 'PersonalAccessToken'],
    ] as const
  ).map(([kind, as]) => ({ argument: `id: "${ours[kind]}"`, subject: ours.user, as }));

const ofApis = ({ api, client, user }: World['ids']): Record<string, Call[]> => ({
  apiRoleHolders: [{ argument: `filter: { apiId: "${api}", role: "reader" }, first: 2` }],
  groupsWithApiRole: [{ argument: `filter: { apiId: "${api}", role: "reader" }, first: 2` }],
  claimPreview: [{ argument: `userId: "${user}", clientId: "${client}", apiId: "${api}"`, subject: user }],
});

/** Arguments of a log that stay within the query limits: its newest and its oldest entries. */
const bothEnds = [{ argument: 'first: 20' }, { argument: 'last: 20' }];

/** Fields that are left out of users, groups, clients and APIs in long lists, and read of single ones. */
export const ofSingleUsers: ReadonlySet<string> = new Set([
  'Api.claims',
  'Api.verifiers',
  'Client.claims',
  'Group.apiRoleGrants',
  'User.apiRoleSources',
  'User.departures',
  'User.knownConnectorTokens',
  'User.roleSources',
  'User.signInAttempts',
]);
const longLists = new Set([
  'auditLog',
  'connectorLog',
  'deliveries',
  'departures',
  'securityLog',
  'signInAttempts',
]);

/** Queries of APIs: elsewhere the clients that verify their tokens exceed the levels of an operation. */
const queriesOfApis = new Set(['api', 'apis', 'node']);
export const deepIn = (name: string): ReadonlySet<string> =>
  new Set(queriesOfApis.has(name) ? [] : ['Api.verifiers']);

const styles: readonly Style[] = ['plain', 'disguised'];

/** Returns every query: each field of Query at the gateway and at its subgraph, and each entity. */
export function accessPathsFor(world: World, actor: Actor): AccessPath[] {
  const known = calls(world, actor);
  const doors: AccessPath[] = [];
  for (const [place, model] of Object.entries(models) as [Subgraph | 'gateway', Model][]) {
    const url = world.urls[place];
    const style: Style = place === 'gateway' ? 'plain' : 'disguised';
    for (const [name, field] of model.objects.get('Query')?.fields ?? []) {
      const needs = field.arguments.some((argument) => argument.required);
      const first = field.arguments.some((argument) => argument.name === 'first') ? 'first: 2' : '';
      const options = known[name] ?? (needs ? undefined : [{ argument: first }]);
      if (!options) throw new Error(`${field.coordinate} needs arguments: say which in ${import.meta.url}`);
      for (const { argument, subject, as } of options) {
        doors.push({
          name: `${place} ${name}(${argument})`,
          url,
          model,
          field: name,
          call: argument === '' ? name : `${name}(${argument})`,
          style,
          subjects: [subject],
          as,
          // An operation may have at most 200 aliases and 15 levels; single users are read as entities.
          without: longLists.has(name) || style === 'disguised' ? ofSingleUsers : deepIn(name),
        });
      }
    }
    if (place === 'gateway') continue;
    for (const type of model.objects.values()) {
      if (type.isEntity)
        doors.push(...entityAccessPaths(world, actor, { place, model, url, type: type.name }));
    }
  }
  return doors;
}

function entityAccessPaths(
  world: World,
  actor: Actor,
  { place, model, url, type }: { place: string; model: Model; url: string; type: string },
): AccessPath[] {
  const { ids, tenant } = world;
  const named: Record<string, (string | undefined)[]> = {
    User: [ids.user, ids.administrator, actor.id],
    Group: [ids.group, ids.privilegedGroup],
    Tenant: [tenant.id],
    Client: [ids.client],
    Connector: [ids.connector],
    ConnectorLogEntry: [ids.connectorLogEntry],
    ProvisioningLogEntry: [ids.logEntry],
    ServiceAccount: [ids.serviceAccount],
    Webhook: [ids.webhook],
    SignalStream: [ids.signalStream],
    Delivery: [ids.delivery],
    SecurityEvent: [ids.securityEvent],
    SignInAttempt: [world.ours.signInAttempt],
    Session: [world.ours.session],
    Grant: [world.ours.grant],
    Delegation: [world.ours.delegation],
    PersonalAccessToken: [world.ours.personalAccessToken],
    ApiKey: [world.ours.apiKey],
    SigningKey: [world.ours.signingKey],
    InitialAccessToken: [world.ours.initialAccessToken],
    TrustedIssuer: [world.ours.trustedIssuer],
    Api: [world.ours.api],
  };
  const keys = named[type]?.filter((id) => id !== undefined);
  if (!keys) throw new Error(`${type} is an entity: say in ${import.meta.url} which one to ask for`);
  const door = (style: Style, more: Partial<AccessPath>, part = ''): AccessPath => ({
    name: `${place} _entities ${type} ${style}${part}`,
    url,
    model,
    field: '_entities',
    call: '_entities',
    style,
    entity: type,
    // Each representation claims to belong to the caller.
    representations: keys.map((id) => ({ __typename: type, id, ownerId: actor.id, userId: actor.id })),
    ...more,
  });
  // An operation may have at most 200 aliases, so all fields of a user are read in two parts.
  const ofOthers = new Set([...ofSingleUsers].filter((coordinate) => !coordinate.startsWith(`${type}.`)));
  if (type !== 'User') return styles.map((style) => door(style, { without: ofOthers }));
  const subjects = keys;
  return [
    door('plain', { subjects }),
    door('disguised', { subjects, without: ofSingleUsers }),
    door('disguised', { subjects, without: otherFields(model) }, ' of single users'),
  ];
}

/** Returns the coordinates of the fields of users that are also read in long lists. */
export const otherFields = (model: Model): ReadonlySet<string> =>
  new Set(
    [...(model.objects.get('User')?.fields.values() ?? [])].flatMap(({ coordinate }) =>
      coordinate === 'User.id' || ofSingleUsers.has(coordinate) ? [] : [coordinate],
    ),
  );
