import { createHash, randomUUID } from 'node:crypto';
import { Failure } from '../failure.ts';
import {
  AddApi,
  ChangeOneApi,
  GiveGroupApiRole,
  RemoveApi,
  TakeGroupApiRole,
  UpdateClientDocuments,
} from '../graph/generated/api-configuration.ts';
import * as graphed from '../graph/generated/configuration.ts';
import { GiveGroupRole, TakeGroupRole } from '../graph/generated/parties.ts';
import {
  AddServiceAccount,
  ChangeServiceAccount,
  RemoveServiceAccount,
} from '../graph/generated/service-accounts.ts';
import { type Graph, made, type Problem } from '../graph/graph.ts';
import type { Operation } from '../graph/operation.ts';
import type { Current, Present } from './current.ts';
import type { Item, ListSection, Plain } from './document.ts';
import type { Parties, Party } from './parties.ts';
import type { Difference } from './plan.ts';
import type { ProtectedAccounts } from './portable.ts';

type Input = Record<string, Plain | undefined>;
type Payload = { problems: readonly Problem[] } & Record<string, unknown>;

/** A secret, which only the caller that created the object receives; never part of a document. */
export interface NewSecret {
  section: ListSection;
  key: string;
  id: string;
  secret: string;
}

const operations = {
  settings: graphed.UpdateTenantSettings,
  policy: graphed.UpdatePolicy,
  branding: graphed.UpdateBranding,
  clientDocumentPolicy: UpdateClientDocuments,
  create: {
    schemas: graphed.CreateSchema,
    apis: AddApi,
    clients: graphed.AddClient,
    connectors: graphed.AddConnector,
    webhooks: graphed.AddWebhook,
    trustedIssuers: graphed.AddTrustedIssuer,
    serviceAccounts: AddServiceAccount,
    groupRoles: GiveGroupRole,
    groupApiRoles: GiveGroupApiRole,
  },
  change: {
    schemas: graphed.UpdateSchema,
    apis: ChangeOneApi,
    clients: graphed.ChangeClient,
    connectors: graphed.ChangeConnector,
    webhooks: graphed.ChangeWebhook,
    serviceAccounts: ChangeServiceAccount,
  },
  remove: {
    schemas: graphed.DeleteSchema,
    apis: RemoveApi,
    clients: graphed.RemoveClient,
    connectors: graphed.RemoveConnector,
    webhooks: graphed.RemoveWebhook,
    trustedIssuers: graphed.RemoveTrustedIssuer,
    serviceAccounts: RemoveServiceAccount,
    groupRoles: TakeGroupRole,
    groupApiRoles: TakeGroupApiRole,
  },
  disabled: {
    clients: { true: graphed.DisableOneClient, false: graphed.EnableOneClient },
    connectors: { true: graphed.DisableOneConnector, false: graphed.EnableOneConnector },
  },
} as const;

/** State that is set after creation: objects are always created enabled. */
const lifecycle: Readonly<Partial<Record<ListSection, { field: string; initially: Plain }>>> = {
  clients: { field: 'disabled', initially: false },
  connectors: { field: 'disabled', initially: false },
  serviceAccounts: { field: 'disabled', initially: false },
  webhooks: { field: 'status', initially: 'ENABLED' },
};

/** Applies differences, one by one: each is one change of the graph, made or not made. */
export class Changes {
  readonly #graph: Graph;
  readonly #tenant: string;
  readonly #parties: Parties;
  /** Ids of clients by key, including new ones. */
  readonly #clients: Map<string, string>;
  /** Ids of APIs by identifier, including new ones. */
  readonly #apis: Map<string, string>;
  /** Versions of changed APIs by id: an API can have two changes. */
  readonly #apiVersions = new Map<string, number>();

  /** Salt of the idempotency keys. Without it, two concurrent runs on the same document create one object. */
  readonly #again: string | undefined;

  /** @param again distinguishes creations from earlier ones with the same content whose objects were deleted since */
  constructor(graph: Graph, current: Current, parties: Parties, again?: string) {
    this.#graph = graph;
    this.#tenant = current.tenant;
    this.#parties = parties;
    this.#again = again;
    this.#clients = new Map(current.lists.clients.map(({ key, id }) => [key, id]));
    this.#apis = new Map(current.lists.apis.map(({ key, id }) => [key, id]));
  }

  /** @returns the secret of a created object, if it has one @throws Failure conflict after a concurrent change */
  async make(difference: Difference): Promise<NewSecret | undefined> {
    if (difference.section === 'groupRoles' || difference.section === 'groupApiRoles')
      return this.#groupRole(difference.section, difference);
    if (difference.action === 'create')
      return this.#create(difference.section, difference.key, difference.item);
    if (difference.action === 'delete') {
      const { section, present } = difference;
      const { id, version } = present;
      await this.#ask(operations.remove[section as 'clients'], { id, version, idempotencyKey: randomUUID() });
      return undefined;
    }
    const changed: Input = Object.fromEntries(difference.fields.map((name) => [name, difference.item[name]]));
    if ('present' in difference) return this.#change(difference, changed);
    if (changed.handOverCredentialsTo)
      changed.handOverCredentialsTo = this.#parties.idOf(changed.handOverCredentialsTo as Party);
    if (changed.apis !== undefined) {
      changed.apiIds =
        (changed.apis as string[] | null)?.map((identifier) => this.#apiId(identifier)) ?? null;
      delete changed.apis;
    }
    await this.#ask(operations[difference.section], {
      ...changed,
      version: difference.version,
      idempotencyKey: randomUUID(),
    });
    return undefined;
  }

  async #change(
    { section, present, key, item }: Extract<Difference, { action: 'change'; present: Present }>,
    changed: Input,
  ): Promise<NewSecret | undefined> {
    if (section === 'trustedIssuers') {
      await this.#ask(operations.remove[section], { id: present.id, version: present.version });
      return this.#create(section, key, item);
    }
    const input =
      section === 'schemas'
        ? schemaChange(changed, present.raw, item)
        : this.#local(section, changed, present.raw);
    const { id } = present;
    let version = this.#apiVersions.get(id) ?? present.version;
    if (Object.keys(input).length > 0) {
      const payload = await this.#ask(operations.change[section as 'clients'], {
        ...input,
        id,
        version,
        idempotencyKey: randomUUID(),
      });
      version =
        ((payload.client ?? payload.connector ?? payload.api) as { version: number } | undefined)?.version ??
        version;
    }
    if (section === 'apis') this.#apiVersions.set(id, version);
    if (changed.disabled !== undefined && (section === 'clients' || section === 'connectors'))
      await this.#ask(operations.disabled[section][`${changed.disabled === true}`], { id, version });
    return undefined;
  }

  async #groupRole(section: 'groupRoles' | 'groupApiRoles', difference: Difference): Promise<undefined> {
    if (difference.action === 'delete') {
      const { id, item, raw } = difference.present;
      const { apiId } = raw;
      await this.#ask(operations.remove[section], { groupId: id, role: item.role, ...(apiId && { apiId }) });
      return;
    }
    const { group, api, ...rest } = difference.item;
    await this.#ask(operations.create[section], {
      ...rest,
      groupId: this.#parties.idOf({ group: String(group) }),
      ...(section === 'groupApiRoles' ? { apiId: this.#apiId(String(api)) } : {}),
    });
  }

  async #create(section: ListSection, key: string, item: Item): Promise<NewSecret | undefined> {
    const { [lifecycle[section]?.field ?? '']: state, ...rest } = item;
    const local = this.#local(section, rest, undefined);
    const input = Object.fromEntries(Object.entries(local).filter(([, value]) => value !== null));
    const idempotencyKey = `ostiary-apply/${digestOf([this.#tenant, section, key, input, this.#again])}`;
    let payload = await this.#ask(operations.create[section], { ...input, idempotencyKey });
    // The key is that of an API that was deleted since. Clients and groups of the file need the new one.
    if (section === 'apis' && !payload.api)
      payload = await this.#ask(operations.create[section], { ...input, idempotencyKey: randomUUID() });
    const { api, client, connector, webhook, serviceAccount } = payload;
    const made = (api ?? client ?? connector ?? webhook ?? serviceAccount) as
      | { id: string; version: number }
      | undefined;
    if (section === 'clients' && made) this.#clients.set(key, made.id);
    if (section === 'apis' && made) this.#apis.set(key, made.id);
    if (made && state !== undefined && state !== null && state !== lifecycle[section]?.initially)
      await this.#begin(section, made, state);
    const secret = payload.clientSecret ?? payload.token ?? payload.secret;
    return typeof secret === 'string' && made ? { section, key, id: made.id, secret } : undefined;
  }

  /** Sets the state of a created object, before its secret is shown. */
  async #begin(
    section: ListSection,
    { id, version }: { id: string; version: number },
    state: Plain,
  ): Promise<void> {
    if (section === 'clients' || section === 'connectors')
      await this.#ask(operations.disabled[section][`${state === true}`], { id, version });
    else if (section === 'webhooks')
      await this.#ask(operations.change.webhooks, { id, version, status: state });
    else await this.#ask(operations.change.serviceAccounts, { id, version, disabled: state });
  }

  /** Converts names to ids of this tenant, and removes fields that have their own operation. */
  #local(section: ListSection, item: Input, raw: Item | Input | undefined): Input {
    const input: Input = { ...item };
    if (section === 'clients' || section === 'connectors') delete input.disabled;
    const id = (key: Plain | undefined): Plain | undefined =>
      typeof key === 'string' ? this.#clientId(key) : key;
    if (section === 'clients') {
      if (input.mayAct !== undefined) input.mayAct = id(input.mayAct);
      const exchange = input.tokenExchange as { subjectClients?: string[] } | null | undefined;
      if (exchange) {
        input.tokenExchange = {
          ...exchange,
          subjectClients: (exchange.subjectClients ?? []).map((key) => this.#clientId(key)),
        };
      }
    }
    if (section === 'connectors') {
      if (input.clientId !== undefined) input.clientId = id(input.clientId);
      this.#protect(input, raw?.protectedAccounts as ProtectedAccounts | undefined);
    }
    if (section === 'trustedIssuers') {
      input.clientIds = ((input.clientIds ?? []) as string[]).map((key) => this.#clientId(key));
    }
    return input;
  }

  /** The graph replaces all protected accounts in one value: kinds that the file does not name keep the present one. */
  #protect(input: Input, present: ProtectedAccounts | undefined): void {
    const { protectAdministrators: administrators, protectedGroups: groups, protectedUsers: users } = input;
    if (administrators === undefined && groups === undefined && users === undefined) return;
    const ids = (names: Plain, kind: 'group' | 'user'): string[] =>
      ((names ?? []) as string[]).map((name) => this.#parties.idOf({ [kind]: name } as unknown as Party));
    input.protectedAccounts = {
      administrators: administrators ?? present?.administrators ?? false,
      groupIds: groups === undefined ? (present?.groupIds ?? []) : ids(groups, 'group'),
      userIds: users === undefined ? (present?.userIds ?? []) : ids(users, 'user'),
    };
    for (const name of ['protectAdministrators', 'protectedGroups', 'protectedUsers']) delete input[name];
  }

  #clientId(key: string): string {
    const id = this.#clients.get(key);
    if (id !== undefined) return id;
    throw new Failure('usage', `The file refers to the client ${key}, which does not exist.`);
  }

  #apiId(identifier: string): string {
    const id = this.#apis.get(identifier);
    if (id !== undefined) return id;
    throw new Failure('usage', `The file refers to the API ${identifier}, which does not exist.`);
  }

  async #ask(operation: Operation<unknown, never>, input: Input): Promise<Payload> {
    const answer = await this.#graph.ask(operation as Operation<unknown, { input: Input }>, { input });
    const [payload] = Object.values(answer as Record<string, Payload | null>);
    return made(payload);
  }
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');

/** Sets all attributes that the file names, and removes the others. */
function schemaChange(changed: Input, raw: Item | Input, item: Item): Input {
  const { attributes, ...rest } = changed;
  const { resourceType: _, ...input } = rest;
  if (attributes === undefined) return input;
  const wanted = new Set((item.attributes as { name: string }[]).map(({ name }) => name));
  const present = (raw.attributes ?? []) as { name: string }[];
  const removed = present.map(({ name }) => name).filter((name) => !wanted.has(name));
  return {
    ...input,
    setAttributes: attributes,
    ...(removed.length > 0 ? { removeAttributes: removed } : {}),
  };
}
