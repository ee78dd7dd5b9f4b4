import { isDeepStrictEqual } from 'node:util';
import type { Revocation } from '@ostiary/access';
import { type Database, statement } from '@ostiary/database';
import { TooManyRequests, uuidv7 } from '@ostiary/service';
import { hasGrants } from '../../../access/grants/data/grant-conditions.ts';
import { record } from '../../../platform/audit/security-log.data.ts';
import { holdName } from '../../../platform/database/data/advisory-lock.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { PrismaClient } from '../../../platform/database/generated/client.ts';
import {
  type ChangeTerms,
  changesBetween,
  LoadingCache,
  OAuthError,
  requireVersion,
  type TenantChanges,
} from '../../../platform/index.ts';
import type { RevocationFeed } from '../../../tenancy/index.ts';
import { suspended } from '../../../tenancy/tenants/data/tenant-conditions.ts';
import { postgresApis, scopesOfApis } from '../../apis/data/apis.ts';
import {
  changeClient,
  columnsOf,
  type Departure,
  deleteClient,
  firstEpoch,
  holdClient,
  insertClient,
} from '../../data/client-changes.ts';
import { clientColumns, toClient } from '../../data/client-row.ts';
import { type Client, type ClientId, isOpenClientId } from '../../domain/client.ts';
import { apiScopesIn, clientMetadata } from '../../domain/client-metadata.ts';
import type { ClientMetadata } from '../../domain/client-registry.ts';
import { checkClientMetadata, type RegistrationRules } from '../../domain/clients.ts';
import type { ValidMetadata } from '../../domain/valid-metadata.ts';
import type { ClientDocument } from '../domain/document.ts';
import { type DocumentClientStore, isRegistered } from '../domain/document-clients.ts';
import {
  type Allowed,
  allowedBy,
  allowsClient,
  checkPolicy,
  type DocumentPolicy,
  type DocumentPolicySettings,
  narrowedTo,
  registrationBy,
  stillAllows,
  unknownApi,
} from '../domain/document-policy.ts';
import { openRegistration } from '../domain/open-registration.ts';
import { isOfDocument, isOpen, readPolicy, unapprovedClientsOf, writePolicy } from './document-policies.ts';

const freshMs = 1_000;
/**
 * Maximum number of stored clients of a tenant, of either kind, except for disabled ones. Those without a grant are
 * deleted in favour of new ones.
 */
const maxClients = 1_000;
/** Age at which a client without a grant may be deleted, in seconds. */
const minIdleSeconds = 600;

/** Reads a registration with its APIs as a row that is not stored. */
const preview = statement({
  name: 'document_clients.preview',
  reason: 'hot path',
  text: `SELECT ${clientColumns}, ${suspended('c.tenant')} AS suspended
           FROM jsonb_populate_record(NULL::auth.clients, $row::jsonb || jsonb_build_object(
             'created_at', now(), 'version', 1)) c`,
  parameters: { row: 'jsonb' },
  columns: { ...clientColumns.columns, suspended: 'bool' },
});

/** Returns the statements of clients of one kind. @param kind their condition; `idle`: condition of unused ones */
const population = (name: string, kind: string, idle: string) => ({
  count: statement({
    name: `document_clients.count_${name}`,
    reason: 'set',
    text: `SELECT count(*)::int AS n FROM auth.clients c
            WHERE c.tenant = $tenant AND ${kind} AND c.disabled_at IS NULL`,
    parameters: { tenant: 'text' },
    columns: { n: 'int4' },
  }),
  /**
   * Clients without grants that make room for others: the oldest if the number is reached, and those unused for long.
   * The users of a new client may not have signed in yet.
   */
  spare: statement({
    name: `document_clients.spare_${name}`,
    reason: 'set',
    text: `SELECT c.client_id AS "clientId" FROM auth.clients c
            WHERE c.tenant = $tenant AND ${kind} AND c.disabled_at IS NULL AND NOT ${hasGrants('c.tenant', 'c.client_id')}
              AND ($isFull AND c.updated_at < now() - interval '${minIdleSeconds} seconds' OR ${idle})
            ORDER BY c.updated_at LIMIT CASE WHEN $isFull THEN 1 ELSE 10 END`,
    parameters: { tenant: 'text', isFull: 'bool' },
    columns: { clientId: 'text' },
  }),
});

const hasGrantOf = statement({
  name: 'document_clients.has_grant_of',
  reason: 'set',
  text: `SELECT ${hasGrants('$tenant', '$clientId', '$subjectId')} AS found`,
  parameters: { tenant: 'text', clientId: 'text', subjectId: 'uuid' },
  columns: { found: 'bool' },
});

const ofDocument = population('of_document', isOfDocument, 'false');
const openOnes = population('open', isOpen, "c.updated_at < now() - interval '7 days'");

export interface PostgresDocumentClientsOptions {
  database: Database<PrismaClient>;
  departure: () => Departure;
  revocations: RevocationFeed;
  /** Invalidates a client in every process. */
  changed(tenant: string, clientId: string): Promise<void>;
  /**
   * Requirements of the installation and the tenant for every client. Not for use in a transaction: it may need a second
   * connection while all others wait for a lock of the first.
   */
  rulesOf(tenant: string): Promise<RegistrationRules>;
  /** Publishes the keys that sign responses to the client. */
  publishKeys(client: Client): Promise<void>;
  tenantChanges: TenantChanges;
  clock: () => number;
}

/** Changed clients, and the revocations to publish after the commit. */
interface Changed {
  ids: string[];
  revocations: Revocation[];
}

/** Stores policies and the clients that they allow. Changes of one tenant run one at a time. */
export class PostgresDocumentClients implements DocumentClientStore {
  readonly #o: PostgresDocumentClientsOptions;
  readonly #policies: LoadingCache<DocumentPolicy>;

  constructor(o: PostgresDocumentClientsOptions) {
    this.#o = o;
    this.#policies = new LoadingCache({
      max: 10_000,
      freshMs,
      changes: { heard: o.tenantChanges, tenantOf: (tenant) => tenant },
      clock: o.clock,
      load: (tenant) => readPolicy(o.database.sql, tenant),
    });
  }

  policy(tenant: string): Promise<DocumentPolicy> {
    return this.#policies.get(tenant);
  }

  async changePolicy(
    tenant: string,
    change: Partial<DocumentPolicySettings>,
    terms: ChangeTerms = {},
  ): Promise<DocumentPolicy> {
    const requirements = await this.#o.rulesOf(tenant);
    const changed = await this.#o.database.transaction(async (tx) => {
      await holdPolicy(tx, tenant);
      // Locked before the clients, in the same order as an offboarding does.
      await this.#o.departure().knowers.holdKnowers(tx, tenant);
      await terms.claim?.(tx, tenant, tenant);
      const before = await readPolicy(tx, tenant);
      requireVersion(terms, before.version);
      const after = { ...checkPolicy({ ...before, ...change }), version: before.version + 1 };
      const apis = await postgresApis.ofIds(tx, tenant, after.apiIds);
      // Ids of deleted APIs stay until the list is replaced.
      if (change.apiIds && apis.length < after.apiIds.length) throw unknownApi();
      await writePolicy(tx, tenant, after);
      await recordChange(tx, tenant, [before, after]);
      const allowed = allowedBy(after, apis);
      return { policy: after, ...(await this.#narrow(tx, tenant, after, { allowed, requirements })) };
    });
    this.#policies.invalidate(tenant);
    await this.#announce(tenant, changed);
    return changed.policy;
  }

  async registration(tenant: string, document: ClientDocument): Promise<ValidMetadata> {
    const { sql } = this.#o.database;
    const requirements = await this.#o.rulesOf(tenant);
    const asked = await this.#asked(sql, tenant, document, await this.policy(tenant));
    return checkClientMetadata(asked, await withScopes(sql, tenant, asked, requirements));
  }

  async preview({ tenant, clientId }: ClientId, registration: ValidMetadata): Promise<Client> {
    const { sql } = this.#o.database;
    const columns = columnsOf(registration);
    const row = {
      tenant,
      client_id: clientId,
      epoch: await firstEpoch(sql, tenant, clientId),
      name: columns.name,
      type: columns.type,
      token_endpoint_auth_method: columns.tokenEndpointAuthMethod,
      redirect_uris: columns.redirectUris,
      grant_types: columns.grantTypes,
      response_types: columns.responseTypes,
      scopes: columns.scopes,
      own_scopes: columns.ownScopes,
      resources: columns.resources,
      metadata: columns.metadata,
    };
    const found = await preview.first(sql, { row });
    if (!found) throw new Error('The statement returned no row.');
    return found.suspended ? { ...toClient(found), disabled: true, suspended: true } : toClient(found);
  }

  async store(id: ClientId, document: ClientDocument): Promise<Client | null> {
    const { tenant, clientId } = id;
    const actor = { kind: 'client', id: clientId } as const;
    const requirements = await this.#o.rulesOf(tenant);
    const stored = await this.#o.database.transaction(async (tx) => {
      await holdPolicy(tx, tenant);
      const policy = await readPolicy(tx, tenant);
      if (!allowsClient(policy, clientId)) return null;
      // Its scopes must not end before the commit.
      await postgresApis.holdApis(tx, tenant);
      const asked = await this.#asked(tx, tenant, document, policy);
      const rules = await withScopes(tx, tenant, asked, requirements);
      const held = await holdClient(tx, tenant, clientId);
      if (!held) {
        const made = await this.#insert(tx, id, checkClientMetadata(asked, rules));
        return { ...made, ids: [clientId, ...made.ids] };
      }
      const client = toClient(held);
      if (client.disabled || isRegistered(client, checkClientMetadata(asked, rules)))
        return { client, ids: [], revocations: [] };
      const terms = { sector: undefined, byItself: false, rules, actor };
      const changed = await changeClient(tx, id, () => asked, terms, this.#o.departure());
      return changed && { ...changed, ids: [clientId] };
    });
    if (!stored) return null;
    await this.#announce(tenant, stored);
    await this.#o.publishKeys(stored.client);
    return stored.client;
  }

  async register(tenant: string, asked: Partial<ClientMetadata>): Promise<Client | null> {
    const clientId = `open-${uuidv7()}`;
    const requirements = await this.#o.rulesOf(tenant);
    const made = await this.#o.database.transaction(async (tx) => {
      await holdPolicy(tx, tenant);
      const policy = await readPolicy(tx, tenant);
      if (policy.registration !== 'open') return null;
      // Its scopes must not end before the commit.
      await postgresApis.holdApis(tx, tenant);
      const wanted = await this.#asked(tx, tenant, openRegistration(asked, policy), policy);
      const rules = await withScopes(tx, tenant, wanted, requirements);
      return this.#insert(tx, { tenant, clientId }, checkClientMetadata(wanted, rules));
    });
    if (!made) return null;
    await this.#announce(tenant, { ...made, ids: [clientId, ...made.ids] });
    await this.#o.publishKeys(made.client);
    return made.client;
  }

  async hasGrantOf({ tenant, clientId }: ClientId, subjectId: string): Promise<boolean> {
    return (await hasGrantOf.first(this.#o.database.sql, { tenant, clientId, subjectId }))?.found === true;
  }

  async #insert(
    tx: Connection,
    { tenant, clientId }: ClientId,
    valid: ValidMetadata,
  ): Promise<Changed & { client: Client }> {
    const actor = { kind: 'client', id: clientId } as const;
    const departure = this.#o.departure();
    const ended: Changed = { ids: [], revocations: [] };
    const { count, spare } = isOpenClientId(clientId) ? openOnes : ofDocument;
    const isFull = ((await count.first(tx, { tenant }))?.n ?? 0) >= maxClients;
    const unused = await spare.rows(tx, { tenant, isFull });
    if (isFull && unused.length === 0)
      throw isOpenClientId(clientId) ? new TooManyRequests(minIdleSeconds) : tooManyClients();
    for (const one of unused) {
      const revocations = await deleteClient(tx, { tenant, ...one }, departure, actor);
      ended.ids.push(one.clientId);
      ended.revocations.push(...(revocations ?? []));
    }
    const { knowers } = departure;
    return {
      ...ended,
      client: await insertClient(tx, tenant, clientId, valid, { owner: null, knowers, actor }),
    };
  }

  /** Deletes clients that the policy no longer allows, and removes scopes and resources from the others. */
  async #narrow(
    tx: Connection,
    tenant: string,
    policy: DocumentPolicy,
    { allowed, requirements: rules }: { allowed: Allowed; requirements: RegistrationRules },
  ): Promise<Changed> {
    const departure = this.#o.departure();
    const terms = { sector: undefined, byItself: false, rules };
    const done: Changed = { ids: [], revocations: [] };
    for (const { clientId } of await unapprovedClientsOf.rows(tx, { tenant })) {
      const id = { tenant, clientId };
      const held = await holdClient(tx, tenant, clientId);
      if (!held) continue;
      const client = toClient(held);
      const current = clientMetadata(client);
      const isAllowed = stillAllows(policy, client);
      if (isAllowed && isDeepStrictEqual(narrowedTo(current, allowed), current)) continue;
      const revocations = isAllowed
        ? (await changeClient(tx, id, (now) => narrowedTo(now, allowed), terms, departure))?.revocations
        : await deleteClient(tx, id, departure);
      done.ids.push(clientId);
      done.revocations.push(...(revocations ?? []));
    }
    return done;
  }

  async #asked(
    sql: Connection,
    tenant: string,
    document: ClientDocument,
    policy: DocumentPolicy,
  ): Promise<ClientMetadata> {
    const apis = await postgresApis.ofIds(sql, tenant, policy.apiIds);
    return registrationBy(document, allowedBy(policy, apis));
  }

  async #announce(tenant: string, { ids, revocations }: Changed): Promise<void> {
    await Promise.all([
      ...ids.map((clientId) => this.#o.changed(tenant, clientId)),
      this.#o.revocations.publish(revocations),
    ]);
  }
}

const tooManyClients = (): Error =>
  new OAuthError('access_denied', 'The organization cannot allow further apps.');

const withScopes = async (
  sql: Connection,
  tenant: string,
  asked: ClientMetadata,
  requirements: RegistrationRules,
): Promise<RegistrationRules> => ({
  ...requirements,
  apiScopes: await scopesOfApis(sql, tenant, apiScopesIn(asked)),
});

const holdPolicy = (tx: Connection, tenant: string): Promise<void> =>
  holdName(tx, `client-documents/${tenant}`);

async function recordChange(
  tx: Connection,
  tenant: string,
  [before, after]: readonly [DocumentPolicy, DocumentPolicy],
): Promise<void> {
  const changes = changesBetween(settingsOf(before), settingsOf(after));
  if (Object.keys(changes).length === 0) return;
  await record(tx, tenant, {
    action: 'tenant.client_documents_updated',
    resourceType: 'Tenant',
    resourceId: tenant,
    changes,
  });
}

const settingsOf = ({ version: _, ...settings }: DocumentPolicy): DocumentPolicySettings => settings;
