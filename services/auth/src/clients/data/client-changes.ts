import type { Revocation } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import { record } from '../../audit/data/index.ts';
import { changesBetween, masked, type NewSecurityEvent } from '../../audit/index.ts';
import { eventPublisher } from '../../events/data/index.ts';
import type { Grants } from '../../grants/index.ts';
import { revokeApiTokensOfClient } from '../../machines/data/index.ts';
import { setOwner } from '../../ownership/data/index.ts';
import type { CredentialOwner } from '../../ownership/index.ts';
import { type ChangeTerms, invalidClientMetadata, requireVersion } from '../../protocol/index.ts';
import type { NewRevocation, RevocationFeed } from '../../subjects/index.ts';
import type { Client } from '../domain/client.ts';
import { clientMetadata } from '../domain/client-metadata.ts';
import { endingOf } from '../domain/client-narrowing.ts';
import type { ClientMetadata } from '../domain/client-registry.ts';
import { checkClientMetadata, type RegistrationRules } from '../domain/clients.ts';
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
 * @param actor who registers it, unless the request's access token says so
 */
export async function insertClient(
  tx: Sql,
  tenant: string,
  clientId: string,
  valid: ValidMetadata,
  owner: CredentialOwner | null,
  actor?: NewSecurityEvent['actor'],
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
  await tx.query(
    `INSERT INTO auth.clients (tenant, client_id, name, type, token_endpoint_auth_method, redirect_uris, grant_types,
       response_types, scopes, resources, metadata, epoch)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, COALESCE(
       (SELECT max(epoch) FROM auth.revocations WHERE tenant = $1 AND kind = 'client' AND key = $2), 0))`,
    [tenant, clientId, ...columnsOf(valid)],
  );
  await setOwner(tx, tenant, 'client', clientId, owner);
}

/**
 * Replaces a client's registration in the caller's transaction.
 * @param sector what was found at the `sector_identifier_uri` that the registration is expected to have
 * @param byItself the client changes its own registration, within what it was allowed; otherwise an administrator decides
 * @param rules what the installation and the tenant demand of every client
 * @returns null when there is no such client; otherwise a new secret if one was needed, and what to publish after the commit
 * @throws OAuthError as a registration does
 */
export async function changeClient(
  tx: Sql,
  { tenant, clientId }: ClientKeyColumns,
  change: (current: ClientMetadata) => ClientMetadata,
  {
    sector,
    byItself,
    rules,
    ...terms
  }: ChangeTerms & { sector: Sector | undefined; byItself: boolean; rules: RegistrationRules },
  departure: Departure,
): Promise<{ client: Client; clientSecret: string | undefined; revocations: Revocation[] } | null> {
  const { rows } = await tx.query<ClientColumns>(
    `SELECT ${clientColumns} FROM auth.clients c WHERE c.tenant = $1 AND c.client_id = $2 FOR UPDATE`,
    [tenant, clientId],
  );
  if (!rows[0]) return null;
  const before = toClient(rows[0]);
  await terms.claim?.(tx, tenant, clientId);
  requireVersion(terms, before.version);
  const valid = checkClientMetadata(change(clientMetadata(before)), rules);
  checkSector(valid, sector);
  if (byItself) await requireAllowedScopes(tx, before, valid.scopes);
  else await takeScopesAway(tx, before, valid.scopes);
  const ending = endingOf(before, valid);
  const changed = await tx.query<ClientColumns>(
    `UPDATE auth.clients c SET name = $3, type = $4, token_endpoint_auth_method = $5, redirect_uris = $6, grant_types = $7,
       response_types = $8, scopes = $9, resources = $10, metadata = $11, epoch = c.epoch + $12::int, version = c.version + 1,
       updated_at = now()
     WHERE c.tenant = $1 AND c.client_id = $2 RETURNING ${clientColumns}`,
    [tenant, clientId, ...columnsOf(valid), ending === 'nothing' ? 0 : 1],
  );
  const client = toClient(changed.rows[0] as ClientColumns);
  const [from, to] = [before.tokenEndpointAuthMethod, client.tokenEndpointAuthMethod];
  const clientSecret = await departure.secrets.changeMethod(tx, client, from, to);
  const changes = changesBetween(clientMetadata(before), clientMetadata(client));
  if (clientSecret !== undefined || (usesSecret(from) && !usesSecret(to))) {
    changes.client_secret = {
      ...(usesSecret(from) && { before: masked }),
      ...(clientSecret !== undefined && { after: masked }),
    };
  }
  if (Object.keys(changes).length > 0) {
    await record(tx, tenant, {
      action: 'client.updated',
      resourceType: 'Client',
      resourceId: clientId,
      changes,
      ...(byItself && { actor: { kind: 'client' as const, id: clientId } }),
    });
  }
  const end = { nothing: endNothing, everything: endClient, 'access tokens': narrowClient }[ending];
  return { client, clientSecret, revocations: await end(tx, client, departure, 'client_changed') };
}

/** What a client registered with, less what an administrator took away since, is the most it may ask for by itself. */
async function requireAllowedScopes(tx: Sql, before: Client, scopes: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ scopes: string[] }>(
    'SELECT scopes FROM auth.client_registrations WHERE tenant = $1 AND client_id = $2',
    [before.tenant, before.clientId],
  );
  const allowed = [...before.scopes, ...(rows[0]?.scopes ?? [])];
  if (!scopes.every((scope) => allowed.includes(scope))) {
    throw invalidClientMetadata('The client may not have all of these scopes.');
  }
}

/** A scope that an administrator takes away is not the client's to take back. */
async function takeScopesAway(tx: Sql, before: Client, scopes: readonly string[]): Promise<void> {
  const removed = before.scopes.filter((scope) => !scopes.includes(scope));
  if (removed.length === 0) return;
  await tx.query(
    `UPDATE auth.client_registrations SET scopes = ARRAY(SELECT scope FROM unnest(scopes) AS scope WHERE scope <> ALL($3))
     WHERE tenant = $1 AND client_id = $2`,
    [before.tenant, before.clientId, removed],
  );
}

/**
 * Deletes a client, with all that was issued to it and all that people agreed to, in the caller's transaction.
 * @returns what to publish after the commit; null when there is no such client
 */
export async function deleteClient(
  tx: Sql,
  { tenant, clientId }: ClientKeyColumns,
  departure: Departure,
  actor?: NewSecurityEvent['actor'],
  terms: ChangeTerms = {},
): Promise<Revocation[] | null> {
  const { rows } = await tx.query<ClientColumns>(
    `DELETE FROM auth.clients c WHERE c.tenant = $1 AND c.client_id = $2 RETURNING ${clientColumns}`,
    [tenant, clientId],
  );
  if (!rows[0]) return null;
  const gone = toClient(rows[0]);
  await terms.claim?.(tx, tenant, clientId);
  requireVersion(terms, gone.version);
  await record(tx, tenant, {
    action: 'client.deleted',
    resourceType: 'Client',
    resourceId: clientId,
    changes: changesBetween(clientMetadata(gone), undefined),
    ...(actor && { actor }),
  });
  await tx.query('DELETE FROM auth.consents WHERE tenant = $1 AND client_id = $2', [tenant, clientId]);
  return endClient(tx, { tenant, clientId, epoch: gone.epoch + 1 }, departure, 'client_deleted');
}

const endNothing = async (): Promise<Revocation[]> => [];

/**
 * Ends the access tokens of a client that may do less from now on, whatever was exchanged for them, and personal access tokens it
 * made that may do more than it. What people allowed it goes on: a refresh token gives what the client may have now.
 */
async function narrowClient(
  tx: Sql,
  { tenant, clientId, epoch, scopes }: ClientKeyColumns & { epoch: number; scopes: readonly string[] },
  { revocations, expiresAt }: Departure,
  reason: string,
): Promise<Revocation[]> {
  // A grant that is being written now is of the epoch before, and so worth nothing.
  await tx.query(
    `UPDATE auth.grants SET client_epoch = $3
      WHERE tenant = $1 AND client_id = $2 AND client_epoch = $3 - 1 AND revoked_at IS NULL AND expires_at > now()`,
    [tenant, clientId, epoch],
  );
  const personal = await revokeApiTokensOfClient(tx, tenant, clientId, { beyond: scopes });
  const entries: NewRevocation[] = [
    { tenant, kind: 'client', key: clientId, epoch, expiresAt },
    ...personal.map((key) => ({ tenant, kind: 'jti' as const, key, expiresAt })),
  ];
  return revocations.append(tx, entries, reason);
}

/** Ends all that was issued to a client, and the personal access tokens it made; returns what to publish after the commit. */
export async function endClient(
  tx: Sql,
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

const columnsOf = (valid: ValidMetadata): unknown[] => [
  valid.name,
  valid.type,
  valid.tokenEndpointAuthMethod,
  valid.redirectUris,
  valid.grantTypes,
  valid.responseTypes,
  valid.scopes,
  valid.resources,
  JSON.stringify(valid.metadata),
];
