import type { Revocation } from '@ostiary/access';
import { type IdPage, isUuid, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import { formsOf } from '../../../access/index.ts';
import {
  type ChangeTerms,
  type Claim,
  changesBetween,
  invalidRequest,
  requireVersion,
  type SecurityAction,
  type SecurityLog,
} from '../../../platform/index.ts';
import {
  apiRoleKey,
  type EventPublisher,
  type NewRevocation,
  type RevocationFeed,
} from '../../../tenancy/index.ts';
import { changesIssuedClaims } from '../../claims/domain/claim-mapping.ts';
import { type Api, type ApiSettings, checkIdentifier, checkSettings } from './api.ts';
import type { ApiStore, EndedOfApi, ScopesAndResources } from './api-store.ts';

const maxApis = 500;

export interface ApisOptions {
  database: Transactions;
  apiStore: ApiStore;
  securityLog: SecurityLog;
  eventPublisher: Pick<EventPublisher, 'grantsEnded'>;
  revocations: RevocationFeed;
  clientAnnouncements: {
    /** Notifies every process at the commit that the clients of a tenant changed. */
    announceClientsOf(tx: Transaction, tenant: string): Promise<void>;
  };
  /** Invalidates the clients of a tenant that this process has cached, without waiting for the notification. */
  forgetClients: (tenant: string) => void;
  publicOrigin: string;
  /** Maximum lifetime in seconds of an access token. */
  maxTokenLifetime: number;
  /** Seconds for which a revocation of tokens issued now is kept. */
  tokenLifetimeSeconds: number;
  clock: () => number;
}

/** The defined APIs of tenants. Every change is one transaction; of several changes in a tenant one runs at a time. */
export class Apis {
  readonly #o: ApisOptions;

  constructor(o: ApisOptions) {
    this.#o = o;
  }

  /** @throws OAuthError invalid_request */
  async register(
    tenant: string,
    { identifier, ...settings }: ApiSettings & Pick<Api, 'identifier'>,
    claim?: Claim,
  ): Promise<Api> {
    const { apiStore, database, publicOrigin, maxTokenLifetime, clock } = this.#o;
    const api: Api = {
      id: uuidv7(),
      identifier: checkIdentifier(identifier, publicOrigin),
      ...checkSettings(settings, maxTokenLifetime),
      version: 1,
      createdAt: new Date(clock()),
    };
    await database.transaction(async (tx) => {
      await apiStore.holdApis(tx, tenant);
      await claim?.(tx, tenant, api.id);
      if (await apiStore.hasIdentifier(tx, tenant, api.identifier))
        throw invalidRequest('identifier is that of another API of the tenant.');
      if ((await apiStore.count(tx, tenant)) >= maxApis)
        throw invalidRequest(`A tenant has at most ${maxApis} APIs.`);
      await this.#requireFreeNames(tx, tenant, api);
      await apiStore.insert(tx, tenant, api);
      await this.#record(tx, tenant, 'api.registered', [undefined, api]);
      await this.#o.clientAnnouncements.announceClientsOf(tx, tenant);
    });
    this.#o.forgetClients(tenant);
    return api;
  }

  /**
   * Changes the given settings. Removed scopes end in clients, consents and grants, removed roles in users and groups,
   * and with them, or with a claim that JWTs have and that is removed or changed, the access tokens of the clients.
   * Returns undefined when the tenant has no such API.
   * @throws OAuthError invalid_request; VersionChanged
   */
  async update(
    tenant: string,
    id: string,
    changes: Partial<ApiSettings>,
    terms: ChangeTerms = {},
  ): Promise<Api | undefined> {
    const { apiStore, maxTokenLifetime } = this.#o;
    return this.#changing(tenant, id, terms, async (tx, before) => {
      const settings = checkSettings({ ...before, ...changes }, maxTokenLifetime);
      const api: Api = { ...before, ...settings, version: before.version + 1 };
      await this.#requireFreeNames(tx, tenant, api);
      await apiStore.replace(tx, tenant, api);
      const { revocations, clients } = await this.#end(tx, tenant, {
        scopes: removedNames(before.scopes, api.scopes),
        resources: [],
        roles: roleKeys(id, removedNames(before.roles, api.roles)),
        reach: reachOf(before),
        claimsChanged: changesJwts(before, api),
      });
      await this.#record(tx, tenant, 'api.updated', [before, api], clients);
      return { result: api, revocations };
    });
  }

  /**
   * Deletes an API with its scopes in clients, consents and grants, and ends the access tokens of the clients. Returns
   * false when the tenant has no such API.
   * @throws VersionChanged
   */
  async remove(tenant: string, id: string, terms: ChangeTerms = {}): Promise<boolean> {
    const removed = await this.#changing(tenant, id, terms, async (tx, api) => {
      await this.#o.apiStore.delete(tx, tenant, id);
      const { revocations, clients } = await this.#end(tx, tenant, {
        ...reachOf(api),
        roles: roleKeys(id, namesOf(api.roles)),
        reach: reachOf(api),
        claimsChanged: false,
      });
      await this.#record(tx, tenant, 'api.deleted', [api, undefined], clients);
      return { result: true, revocations };
    });
    return removed ?? false;
  }

  find(tenant: string, id: string): Promise<Api | undefined> {
    return this.#o.apiStore.find(this.#o.database.sql, tenant, id);
  }

  ofIds(tenant: string, ids: readonly string[]): Promise<Api[]> {
    return this.#o.apiStore.ofIds(this.#o.database.sql, tenant, ids);
  }

  /** Returns the APIs with any of these scopes. */
  ofScopes(tenant: string, scopes: readonly string[]): Promise<Api[]> {
    return this.#o.apiStore.ofScopes(this.#o.database.sql, tenant, scopes);
  }

  /** Returns the APIs for which a client with these scopes and resources gets tokens. */
  reachedBy(tenant: string, by: ScopesAndResources): Promise<Api[]> {
    return this.#o.apiStore.reachedBy(this.#o.database.sql, tenant, by);
  }

  page(tenant: string, page: IdPage): Promise<Api[]> {
    return this.#o.apiStore.page(this.#o.database.sql, tenant, page);
  }

  count(tenant: string): Promise<number> {
    return this.#o.apiStore.count(this.#o.database.sql, tenant);
  }

  async #changing<T>(
    tenant: string,
    id: string,
    terms: ChangeTerms,
    change: (tx: Transaction, before: Api) => Promise<{ result: T; revocations: Revocation[] }>,
  ): Promise<T | undefined> {
    if (!isUuid(id)) return undefined;
    const { apiStore, database } = this.#o;
    const done = await database.transaction(async (tx) => {
      await apiStore.holdApis(tx, tenant);
      const before = await apiStore.find(tx, tenant, id);
      if (!before) return undefined;
      await terms.claim?.(tx, tenant, id);
      requireVersion(terms, before.version);
      const changed = await change(tx, before);
      await this.#o.clientAnnouncements.announceClientsOf(tx, tenant);
      return changed;
    });
    if (!done) return undefined;
    this.#o.forgetClients(tenant);
    await this.#o.revocations.publish(done.revocations);
    return done.result;
  }

  /** The name of a scope leads to one API of the tenant. */
  async #requireFreeNames(tx: Transaction, tenant: string, api: Api): Promise<void> {
    const names = api.scopes.map(({ name }) => name);
    const others = await this.#o.apiStore.ofScopes(tx, tenant, names);
    const taken = others
      .filter(({ id }) => id !== api.id)
      .flatMap(({ scopes }) => scopes)
      .find(({ name }) => names.includes(name));
    if (taken)
      throw invalidRequest(`scopes must not use ${taken.name}, which another API of the tenant has.`);
  }

  async #end(
    tx: Transaction,
    tenant: string,
    ended: EndedOfApi,
  ): Promise<{ revocations: Revocation[]; clients: string[] }> {
    const { scopes, resources, roles, claimsChanged } = ended;
    if (scopes.length + resources.length + roles.length === 0 && !claimsChanged)
      return { revocations: [], clients: [] };
    const { apiStore, eventPublisher, revocations, clock, tokenLifetimeSeconds } = this.#o;
    const { clients, grants } = await apiStore.endForApi(tx, tenant, ended);
    await eventPublisher.grantsEnded(tx, tenant, grants, 'api_changed');
    const expiresAt = Math.ceil(clock() / 1000) + tokenLifetimeSeconds;
    // The entries of the clients cover the tokens of the revoked grants, too.
    const entries: NewRevocation[] = clients.map(({ clientId, epoch }) => ({
      tenant,
      kind: 'client',
      key: clientId,
      epoch,
      expiresAt,
    }));
    return {
      revocations: await revocations.append(tx, entries, 'api_changed'),
      clients: clients.map(({ clientId }) => clientId),
    };
  }

  async #record(
    tx: Transaction,
    tenant: string,
    action: SecurityAction,
    [before, after]: [Api | undefined, Api | undefined],
    clients: readonly string[] = [],
  ): Promise<void> {
    const changes = {
      ...changesBetween(before && given(before), after && given(after)),
      ...(clients.length === 0 ? {} : changesBetween({ clients }, undefined)),
    };
    if (Object.keys(changes).length === 0) return;
    const resourceId = (after ?? before)?.id ?? '';
    await this.#o.securityLog.record(tx, tenant, { action, resourceType: 'Api', resourceId, changes });
  }
}

/** Opaque tokens have the current claims. After a change to them, JWTs are not issued again, but those issued stay. */
const changesJwts = (before: Api, after: Api): boolean =>
  before.tokenFormat === 'jwt' &&
  changesIssuedClaims(before.claims, after.tokenFormat === 'jwt' ? after.claims : []);

const namesOf = (named: readonly { name: string }[]): string[] => named.map(({ name }) => name);

function removedNames(before: readonly { name: string }[], after: readonly { name: string }[]): string[] {
  const kept = new Set(namesOf(after));
  return namesOf(before).filter((name) => !kept.has(name));
}

const roleKeys = (apiId: string, names: readonly string[]): string[] =>
  names.map((role) => apiRoleKey({ apiId, role }));

/** Returns all scopes and every form of the audience of an API. */
export const reachOf = ({ identifier, scopes }: Api): ScopesAndResources => ({
  scopes: namesOf(scopes),
  resources: formsOf(identifier),
});

/** Returns the members that an administrator sets. */
const given = ({ id: _id, version: _version, createdAt: _createdAt, ...said }: Api): object => said;
