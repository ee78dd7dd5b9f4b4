import { isDeepStrictEqual } from 'node:util';
import type { Caller, Revocation } from '@ostiary/access';
import { type Sql, statement } from '@ostiary/database';
import { endConsentsTo } from '../../access/grants/data/consents.ts';
import { forgetDelegationsTo } from '../../access/grants/data/delegations.ts';
import type { CredentialOwner, Grants, Knowers } from '../../access/index.ts';
import { revokeApiTokensOfClient } from '../../access/machines/data/api-tokens.ts';
import { setOwner } from '../../access/ownership/data/credential-owners.ts';
import { record } from '../../platform/audit/security-log.data.ts';
import type { Connection } from '../../platform/database/data/connection.ts';
import { unlessMissing } from '../../platform/database/data/missing.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import {
  type Changes,
  type ChangeTerms,
  changesBetween,
  invalidClientMetadata,
  masked,
  type NewSecurityEvent,
  requireVersion,
} from '../../platform/index.ts';
import type { EventPublisher, NewRevocation, RevocationFeed } from '../../tenancy/index.ts';
import type { Client, ClientAuthMethod } from '../domain/client.ts';
import { clientMetadata } from '../domain/client-metadata.ts';
import { endingOf } from '../domain/client-narrowing.ts';
import type { ClientMetadata, HandoverTerms } from '../domain/client-registry.ts';
import { checkClientMetadata, type RegistrationRules } from '../domain/clients.ts';
import { handsConsentsOver } from '../domain/conferral/client-handover.ts';
import { checkSector, type Sector } from '../domain/subject-identifier.ts';
import type { ValidMetadata } from '../domain/valid-metadata.ts';
import { type ClientColumns, clientColumns, toClient } from './client-row.ts';
import { type ClientSecrets, usesSecret } from './client-secrets.ts';

interface ClientKeyColumns {
  tenant: string;
  clientId: string;
}

/** Dependencies that end credentials when a registration, or a part of it, ends. */
export interface Departure {
  secrets: ClientSecrets;
  knowers: Knowers;
  eventPublisher: Pick<EventPublisher, 'clientEnded'>;
  grants: Grants;
  revocations: RevocationFeed;
  /** Unix seconds at which the last token issued so far has expired. */
  expiresAt: number;
}

/**
 * Inserts a client. A client that reuses the id of a deleted one starts at the epoch where that one ended, so that
 * tokens of the deleted client stay invalid.
 * @param owner owner of the client; held by the caller
 * @param knownTo users who supplied its public keys; held by the caller
 * @param actor actor of the registration, when it is not in the request's access token
 */
export async function insertClient(
  tx: Connection,
  tenant: string,
  clientId: string,
  valid: ValidMetadata,
  {
    owner,
    knowers,
    knownTo = [],
    actor,
  }: {
    owner: CredentialOwner | null;
    knowers: Knowers;
    knownTo?: readonly CredentialOwner[];
    actor?: NewSecurityEvent['actor'];
  },
): Promise<Client> {
  await record(tx, tenant, {
    action: 'client.registered',
    resourceType: 'Client',
    resourceId: clientId,
    changes: changesBetween(undefined, {
      ...clientMetadata({ ...valid, metadata: { ...valid.metadata } }),
      ...(owner && { owner }),
    }),
    ...(actor && { actor }),
  });
  const epoch = await firstEpoch(tx, tenant, clientId);
  const prisma = await tx.prisma();
  const row = await prisma.client.create({ data: { tenant, clientId, ...columnsOf(valid), epoch } });
  await setOwner(tx, tenant, 'client', clientId, owner);
  if (keysOf(valid.metadata) !== undefined)
    await knowers.recordKnown(tx, tenant, 'client_keys', clientId, knownTo);
  return toClient(row);
}

/** Returns the epoch at which a client begins: where a deleted one with the same id ended. */
export async function firstEpoch(sql: Connection, tenant: string, clientId: string): Promise<number> {
  const prisma = await sql.prisma();
  const where = { tenant, kind: 'client', key: clientId };
  return (await prisma.revocation.aggregate({ where, _max: { epoch: true } }))._max.epoch ?? 0;
}

const hold = statement({
  name: 'clients.hold',
  reason: 'atomic',
  text: `SELECT ${clientColumns} FROM auth.clients c WHERE c.tenant = $tenant AND c.client_id = $clientId FOR UPDATE`,
  parameters: { tenant: 'text', clientId: 'text' },
  columns: clientColumns.columns,
});

/** Reads a client and locks it until the transaction ends. */
export const holdClient = (tx: Sql, tenant: string, clientId: string): Promise<ClientColumns | undefined> =>
  hold.first(tx, { tenant, clientId });

/**
 * Replaces a client's registration in the caller's transaction.
 * @param sector document fetched from the expected `sector_identifier_uri`
 * @param byItself true when the client changes its own registration, which limits its scopes; otherwise an
 * administrator does
 * @param keepsConsents decides whether consents stay that another party could use from now on
 * @param rules requirements of the installation and the tenant
 * @param actor actor of the change, when it is neither the client nor in the request's access token
 * @returns null when there is no such client; otherwise the client, a new secret if one was needed, and the revocations
 * to publish after the commit
 * @throws OAuthError as a registration does
 */
export async function changeClient(
  tx: Connection,
  { tenant, clientId }: ClientKeyColumns,
  change: (current: ClientMetadata) => ClientMetadata,
  {
    sector,
    byItself,
    rules,
    keepsConsents,
    actor = byItself ? { kind: 'client', id: clientId } : undefined,
    ...terms
  }: ChangeTerms &
    HandoverTerms & {
      sector: Sector | undefined;
      byItself: boolean;
      rules: RegistrationRules;
      actor?: NewSecurityEvent['actor'];
    },
  departure: Departure,
): Promise<{ client: Client; clientSecret: string | undefined; revocations: Revocation[] } | null> {
  // Locked before the client, in the same order as an offboarding does.
  const knownTo = await departure.knowers.holdKnowers(tx, tenant, changing({ clientId, byItself, actor }));
  const held = await holdClient(tx, tenant, clientId);
  if (!held) return null;
  const before = toClient(held);
  await terms.claim?.(tx, tenant, clientId);
  requireVersion(terms, before.version);
  const valid = checkClientMetadata(change(clientMetadata(before)), {
    ...rules,
    // Its own scopes exist: an API that ends removes them first, and waits for the lock of the client.
    apiScopes: new Set([...(rules.apiScopes ?? []), ...before.scopes, ...(before.ownScopes ?? [])]),
  });
  checkSector(valid, sector);
  if (byItself) await requireAllowedScopes(tx, before, valid.scopes);
  else await takeScopesAway(tx, before, valid.scopes);
  const ending = endingOf(before, valid);
  const changed = await (await tx.prisma()).client.update({
    where: { tenant_clientId: { tenant, clientId } },
    data: {
      ...columnsOf(valid),
      ...(ending !== 'nothing' && { epoch: { increment: 1 } }),
      version: { increment: 1 },
      updatedAt: new Date(),
    },
  });
  const client = toClient(changed);
  const [from, to] = [before.tokenEndpointAuthMethod, client.tokenEndpointAuthMethod];
  const clientSecret = await departure.secrets.changeMethod(tx, client, [from, to], knownTo);
  await recordKeys(tx, before, client, { knownTo, knowers: departure.knowers });
  const endsConsents = handsConsentsOver(before, valid) && !keepsConsents?.(before);
  const changes = {
    ...changesBetween(clientMetadata(before), clientMetadata(client)),
    ...changeOfSecret({ from, to, isNew: clientSecret !== undefined }),
    ...(endsConsents && (await endConsents(tx, { tenant, clientId }))),
  };
  await recordUpdate(tx, client, changes, actor);
  const endIssued = { nothing: endNothing, everything: endClient, 'access tokens': narrowClient }[ending];
  return { client, clientSecret, revocations: await endIssued(tx, client, departure, 'client_changed') };
}

async function recordUpdate(
  tx: Connection,
  { tenant, clientId }: Client,
  changes: Changes,
  actor: NewSecurityEvent['actor'],
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await record(tx, tenant, {
    action: 'client.updated',
    resourceType: 'Client',
    resourceId: clientId,
    changes,
    ...(actor && { actor }),
  });
}

/** Returns the log entry of a secret created or removed by a change of the authentication method. */
const changeOfSecret = (o: {
  from: ClientAuthMethod;
  to: ClientAuthMethod;
  isNew: boolean;
}): { client_secret?: { before?: unknown; after?: unknown } } =>
  o.isNew || (usesSecret(o.from) && !usesSecret(o.to))
    ? { client_secret: { ...(usesSecret(o.from) && { before: masked }), ...(o.isNew && { after: masked }) } }
    : {};

/**
 * Ends all consents to a client in the transaction of its change, so that each user is asked again. Issued tokens stay.
 * A consent given concurrently for the previous registration is not stored (`rememberConsent`).
 * @returns change for the security log
 */
export async function endConsents(
  tx: Sql,
  client: ClientKeyColumns,
): Promise<{ consents?: { before: number; after: number } }> {
  const ended = await endConsentsTo(tx, client);
  return ended === 0 ? {} : { consents: { before: ended, after: 0 } };
}

/** Records the users who supplied the public keys of a client, or their URL, if these changed. */
async function recordKeys(
  tx: Connection,
  before: Client,
  { tenant, clientId, metadata }: Client,
  { knownTo, knowers }: { knownTo: readonly CredentialOwner[]; knowers: Knowers },
): Promise<void> {
  if (!isDeepStrictEqual(keysOf(before.metadata), keysOf(metadata)))
    await knowers.recordKnown(tx, tenant, 'client_keys', clientId, knownTo);
}

/**
 * Returns the suppliers of a change: the client itself with its registration access token, this service, or the callers
 * of the request.
 */
function changing({
  clientId,
  byItself,
  actor,
}: {
  clientId: string;
  byItself: boolean;
  actor: NewSecurityEvent['actor'] | undefined;
}): Caller[] | undefined {
  if (byItself) return [{ kind: 'program', id: clientId }];
  return actor ? [] : undefined;
}

/** Returns the public keys of a client or their URL; undefined without either. */
const keysOf = ({ jwks, jwks_uri: uri }: { jwks?: unknown; jwks_uri?: unknown }): unknown => jwks ?? uri;

/** Rejects scopes beyond those of the client and of its registration, less those that an administrator removed. */
async function requireAllowedScopes(
  tx: Connection,
  before: Client,
  scopes: readonly string[],
): Promise<void> {
  const { tenant, clientId } = before;
  const registration = await (await tx.prisma()).clientRegistration.findUnique({
    where: { tenant_clientId: { tenant, clientId } },
    select: { scopes: true },
  });
  const allowed = [...before.scopes, ...(registration?.scopes ?? [])];
  if (!scopes.every((scope) => allowed.includes(scope))) {
    throw invalidClientMetadata('scope exceeds the scopes of the registration.');
  }
}

/** Removes the scopes from the registration too, so that the client cannot request them again. */
async function takeScopesAway(tx: Connection, before: Client, scopes: readonly string[]): Promise<void> {
  const removed = before.scopes.filter((scope) => !scopes.includes(scope));
  if (removed.length === 0) return;
  const { tenant, clientId } = before;
  const prisma = await tx.prisma();
  // No other transaction writes the row: the client is locked.
  const registration = await prisma.clientRegistration.findUnique({
    where: { tenant_clientId: { tenant, clientId } },
    select: { scopes: true },
  });
  if (!registration) return;
  await prisma.clientRegistration.update({
    where: { tenant_clientId: { tenant, clientId } },
    data: { scopes: registration.scopes.filter((scope) => !removed.includes(scope)) },
    select: { clientId: true },
  });
}

/**
 * Deletes a client with its credentials and consents in the caller's transaction.
 * @returns revocations to publish after the commit; null when there is no such client
 */
export async function deleteClient(
  tx: Connection,
  { tenant, clientId }: ClientKeyColumns,
  departure: Departure,
  actor?: NewSecurityEvent['actor'],
  terms: ChangeTerms = {},
): Promise<Revocation[] | null> {
  const prisma = await tx.prisma();
  const row = await unlessMissing(prisma.client.delete({ where: { tenant_clientId: { tenant, clientId } } }));
  if (!row) return null;
  const gone = toClient(row);
  await terms.claim?.(tx, tenant, clientId);
  requireVersion(terms, gone.version);
  await record(tx, tenant, {
    action: 'client.deleted',
    resourceType: 'Client',
    resourceId: clientId,
    changes: changesBetween(clientMetadata(gone), undefined),
    ...(actor && { actor }),
  });
  await prisma.consent.deleteMany({ where: { tenant, clientId } });
  return endClient(tx, { tenant, clientId, epoch: gone.epoch + 1 }, departure, 'client_deleted');
}

const endNothing = async (): Promise<Revocation[]> => [];

/**
 * Ends the access tokens of a client whose registration was narrowed, the tokens exchanged for them, and its personal
 * access tokens with removed scopes. Grants stay: a refresh token yields access tokens with the remaining scopes.
 */
async function narrowClient(
  tx: Connection,
  { tenant, clientId, epoch, scopes }: ClientKeyColumns & { epoch: number; scopes: readonly string[] },
  { revocations, expiresAt }: Departure,
  reason: string,
): Promise<Revocation[]> {
  // A grant that is written concurrently has the previous epoch and is therefore invalid.
  const prisma = await tx.prisma();
  await prisma.grant.updateMany({
    where: { tenant, clientId, clientEpoch: epoch - 1, revokedAt: null, expiresAt: { gt: new Date() } },
    data: { clientEpoch: epoch },
  });
  await forgetDelegationsTo(tx, tenant, [clientId]);
  const personal = await revokeApiTokensOfClient(tx, tenant, clientId, { beyond: scopes });
  const entries: NewRevocation[] = [
    { tenant, kind: 'client', key: clientId, epoch, expiresAt },
    ...personal.map((key) => ({ tenant, kind: 'jti' as const, key, expiresAt })),
  ];
  return revocations.append(tx, entries, reason);
}

/**
 * Ends everything issued to a client, and its personal access tokens.
 * @returns revocations to publish after the commit
 */
export async function endClient(
  tx: Connection,
  { tenant, clientId, epoch }: ClientKeyColumns & { epoch: number },
  { eventPublisher, grants, revocations, expiresAt }: Departure,
  reason: string,
): Promise<Revocation[]> {
  const ended = await grants.revokeByClient(tx, tenant, clientId);
  if (ended.length > 0) await eventPublisher.clientEnded(tx, tenant, clientId, reason);
  const personal = await revokeApiTokensOfClient(tx, tenant, clientId);
  const entries: NewRevocation[] = [
    { tenant, kind: 'client', key: clientId, epoch, expiresAt },
    ...personal.map((key) => ({ tenant, kind: 'jti' as const, key, expiresAt })),
    ...ended.filter(({ kind }) => kind === 'jti'),
  ];
  return revocations.append(tx, entries, reason);
}

export const columnsOf = (valid: ValidMetadata) => ({
  name: valid.name,
  type: valid.type,
  tokenEndpointAuthMethod: valid.tokenEndpointAuthMethod,
  redirectUris: [...valid.redirectUris],
  grantTypes: [...valid.grantTypes],
  responseTypes: [...valid.responseTypes],
  scopes: [...valid.scopes],
  ownScopes: [...valid.ownScopes],
  resources: [...valid.resources],
  metadata: valid.metadata as object as Prisma.InputJsonObject,
});
