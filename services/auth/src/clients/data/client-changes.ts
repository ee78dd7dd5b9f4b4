import { isDeepStrictEqual } from 'node:util';
import type { Caller, Revocation } from '@ostiary/access';
import { type Sql, statement } from '@ostiary/database';
import { record } from '../../audit/data/index.ts';
import { type Changes, changesBetween, masked, type NewSecurityEvent } from '../../audit/index.ts';
import { type Connection, type Prisma, unlessMissing } from '../../database/data/index.ts';
import { eventPublisher } from '../../events/data/index.ts';
import type { Grants } from '../../grants/index.ts';
import { revokeApiTokensOfClient } from '../../machines/data/index.ts';
import { holdKnowers, recordKnown, setOwner } from '../../ownership/data/index.ts';
import type { CredentialOwner } from '../../ownership/index.ts';
import { type ChangeTerms, invalidClientMetadata, requireVersion } from '../../protocol/index.ts';
import type { NewRevocation, RevocationFeed } from '../../subjects/index.ts';
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

/** What ends together with a registration, or with a part of it. */
export interface Departure {
  secrets: ClientSecrets;
  grants: Grants;
  revocations: RevocationFeed;
  /** Unix seconds when the last token issued until now has expired. */
  expiresAt: number;
}

/**
 * Inserts a client. One that takes the id of a client that was deleted begins where that one's epochs ended, so that
 * nothing issued to its predecessor comes alive again.
 * @param owner whose it is; held by the caller
 * @param knownTo who supplied its public keys; held by the caller
 * @param actor who registers it, unless the request's access token says so
 */
export async function insertClient(
  tx: Connection,
  tenant: string,
  clientId: string,
  valid: ValidMetadata,
  {
    owner,
    knownTo = [],
    actor,
  }: {
    owner: CredentialOwner | null;
    knownTo?: readonly CredentialOwner[];
    actor?: NewSecurityEvent['actor'];
  },
): Promise<void> {
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
  const prisma = await tx.prisma();
  const ended = await prisma.revocation.aggregate({
    where: { tenant, kind: 'client', key: clientId },
    _max: { epoch: true },
  });
  await prisma.client.create({
    data: { tenant, clientId, ...columnsOf(valid), epoch: ended._max.epoch ?? 0 },
    select: { clientId: true },
  });
  await setOwner(tx, tenant, 'client', clientId, owner);
  if (keysOf(valid.metadata) !== undefined) await recordKnown(tx, tenant, 'client_keys', clientId, knownTo);
}

const hold = statement({
  name: 'clients.hold',
  reason: 'atomic',
  text: `SELECT ${clientColumns} FROM auth.clients c WHERE c.tenant = $tenant AND c.client_id = $clientId FOR UPDATE`,
  parameters: { tenant: 'text', clientId: 'text' },
  columns: clientColumns.columns,
});

/** A client as it is until the transaction ends, unless the transaction changes it. */
export const holdClient = (tx: Sql, tenant: string, clientId: string): Promise<ClientColumns | undefined> =>
  hold.first(tx, { tenant, clientId });

/**
 * Replaces a client's registration in the caller's transaction.
 * @param sector what was found at the `sector_identifier_uri` that the registration is expected to have
 * @param byItself the client changes its own registration, within what it was allowed; otherwise an administrator decides
 * @param keepsConsents whether consents stay that another party could use from now on; they end otherwise
 * @param rules what the installation and the tenant demand of every client
 * @param actor who changes it, unless the client itself or the request's access token says so
 * @returns null when there is no such client; otherwise a new secret if one was needed, and what to publish after the commit
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
  // Before the client, as a departure does.
  const knownTo = await holdKnowers(tx, tenant, changing({ clientId, byItself, actor }));
  const held = await holdClient(tx, tenant, clientId);
  if (!held) return null;
  const before = toClient(held);
  await terms.claim?.(tx, tenant, clientId);
  requireVersion(terms, before.version);
  const valid = checkClientMetadata(change(clientMetadata(before)), rules);
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
  await recordKeys(tx, before, client, knownTo);
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

/** Writes an entry of the security log when anything changed. */
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

/** What the log says of a secret that comes or goes with the method of authentication. */
const changeOfSecret = (o: {
  from: ClientAuthMethod;
  to: ClientAuthMethod;
  isNew: boolean;
}): { client_secret?: { before?: unknown; after?: unknown } } =>
  o.isNew || (usesSecret(o.from) && !usesSecret(o.to))
    ? { client_secret: { ...(usesSecret(o.from) && { before: masked }), ...(o.isNew && { after: masked }) } }
    : {};

const endOfConsents = statement({
  name: 'clients.end_consents',
  reason: 'set',
  text: `UPDATE auth.consents SET revoked_at = now()
          WHERE tenant = $tenant AND client_id = $clientId AND revoked_at IS NULL RETURNING 1 AS ended`,
  parameters: { tenant: 'text', clientId: 'text' },
  columns: { ended: 'int4' },
});

/**
 * Ends what users allowed a client, in the transaction of its change: each is asked again. What was issued stays; a consent that is being
 * given for the registration as it was before is not remembered (`rememberConsent`).
 * @returns what the log says of it
 */
export async function endConsents(
  tx: Sql,
  client: ClientKeyColumns,
): Promise<{ consents?: { before: number; after: number } }> {
  const ended = await endOfConsents.rows(tx, client);
  return ended.length === 0 ? {} : { consents: { before: ended.length, after: 0 } };
}

/** Records who supplied the public keys of a client, or their address, if they changed. */
async function recordKeys(
  tx: Connection,
  before: Client,
  { tenant, clientId, metadata }: Client,
  knownTo: readonly CredentialOwner[],
): Promise<void> {
  if (!isDeepStrictEqual(keysOf(before.metadata), keysOf(metadata)))
    await recordKnown(tx, tenant, 'client_keys', clientId, knownTo);
}

/** Who supplies the change: the client itself with its registration access token, this service, or the callers of the request. */
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

/** The public keys of a client or their address; undefined without either. */
const keysOf = ({ jwks, jwks_uri: uri }: { jwks?: unknown; jwks_uri?: unknown }): unknown => jwks ?? uri;

/** What a client registered with, less what an administrator took away since, is the most it may ask for by itself. */
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
    throw invalidClientMetadata('The client may not have all of these scopes.');
  }
}

/** A scope that an administrator takes away is not the client's to take back. */
async function takeScopesAway(tx: Connection, before: Client, scopes: readonly string[]): Promise<void> {
  const removed = before.scopes.filter((scope) => !scopes.includes(scope));
  if (removed.length === 0) return;
  const { tenant, clientId } = before;
  const prisma = await tx.prisma();
  // Nobody else writes it meanwhile: the client is held.
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
 * Deletes a client, with all that was issued to it and all that people agreed to, in the caller's transaction.
 * @returns what to publish after the commit; null when there is no such client
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
 * Ends the access tokens of a client that may do less from now on, whatever was exchanged for them, and personal access tokens it
 * made that may do more than it. What people allowed it goes on: a refresh token gives what the client may have now.
 */
async function narrowClient(
  tx: Connection,
  { tenant, clientId, epoch, scopes }: ClientKeyColumns & { epoch: number; scopes: readonly string[] },
  { revocations, expiresAt }: Departure,
  reason: string,
): Promise<Revocation[]> {
  // A grant that is being written now is of the epoch before, and so worth nothing.
  const prisma = await tx.prisma();
  await prisma.grant.updateMany({
    where: { tenant, clientId, clientEpoch: epoch - 1, revokedAt: null, expiresAt: { gt: new Date() } },
    data: { clientEpoch: epoch },
  });
  const personal = await revokeApiTokensOfClient(tx, tenant, clientId, { beyond: scopes });
  const entries: NewRevocation[] = [
    { tenant, kind: 'client', key: clientId, epoch, expiresAt },
    ...personal.map((key) => ({ tenant, kind: 'jti' as const, key, expiresAt })),
  ];
  return revocations.append(tx, entries, reason);
}

/** Ends all that was issued to a client, and the personal access tokens it made; returns what to publish after the commit. */
export async function endClient(
  tx: Connection,
  { tenant, clientId, epoch }: ClientKeyColumns & { epoch: number },
  { grants, revocations, expiresAt }: Departure,
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

const columnsOf = (valid: ValidMetadata) => ({
  name: valid.name,
  type: valid.type,
  tokenEndpointAuthMethod: valid.tokenEndpointAuthMethod,
  redirectUris: [...valid.redirectUris],
  grantTypes: [...valid.grantTypes],
  responseTypes: [...valid.responseTypes],
  scopes: [...valid.scopes],
  resources: [...valid.resources],
  metadata: valid.metadata as object as Prisma.InputJsonObject,
});
