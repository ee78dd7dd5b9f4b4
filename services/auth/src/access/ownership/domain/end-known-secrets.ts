import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { ResourceType, SecurityAction, SecurityLog } from '../../../platform/index.ts';
import type { EventPublisher, NewRevocation, RevocationFeed } from '../../../tenancy/index.ts';
import type { Grants } from '../../grants/domain/grant-revocation.ts';
import { endIssuedOnWord } from './issued-on-word.ts';
import {
  type GrantOfIssuer,
  type KnownSecret,
  type KnownSecretStore,
  rightOfKind,
  type SecretKind,
} from './known-secret.ts';
import type { ClientAnnouncements, OwnerGoing } from './owner-going.ts';

export interface KnownSecretPorts {
  knownSecrets: KnownSecretStore;
  securityLog: SecurityLog;
  clientAnnouncements: ClientAnnouncements;
  grants: Grants;
  eventPublisher: EventPublisher;
  revocations: RevocationFeed;
}

/** Entry of the security log for the end of a secret. */
const entryOf: Readonly<Record<SecretKind, { action: SecurityAction; type: ResourceType }>> = {
  client_secret: { action: 'client.updated', type: 'Client' },
  client_keys: { action: 'client.updated', type: 'Client' },
  registration_access_token: { action: 'client.updated', type: 'Client' },
  initial_access_token: { action: 'initial_access_token.revoked', type: 'InitialAccessToken' },
  service_account_key: { action: 'service_account.key_removed', type: 'ServiceAccount' },
  api_key: { action: 'api_key.revoked', type: 'ApiKey' },
  trusted_issuer: { action: 'trusted_issuer.deleted', type: 'TrustedIssuer' },
  issuer_subject: { action: 'issuer_subject.unbound', type: 'IssuerSubject' },
  invitation: { action: 'user.invitation_revoked', type: 'User' },
  webhook_endpoint: { action: 'webhook.updated', type: 'Webhook' },
  webhook_secret: { action: 'webhook.updated', type: 'Webhook' },
  stream_endpoint: { action: 'signal_stream.updated', type: 'SignalStream' },
};

/** Returns the kinds of secrets that the user or group may no longer know. */
export const kindsOf = ({ kinds }: OwnerGoing): SecretKind[] =>
  (Object.keys(rightOfKind) as SecretKind[]).filter((kind) => kinds.includes(rightOfKind[kind]));

/**
 * Ends every live secret that a user or group knows, in the transaction of the offboarding or of the lost right. This
 * includes secrets of clients and service accounts of other owners, which stay. Tokens issued to those programs are
 * revoked; grants of their users stay. The caller holds the programs (`holdPrograms`).
 * @param keep secrets that stay
 * @returns the ended secrets, the other secrets that the user or group knows, and the revocations to publish after the commit
 */
export async function endKnownSecrets(
  tx: Transaction,
  tenant: string,
  going: OwnerGoing,
  ports: KnownSecretPorts,
  keep: (secret: KnownSecret) => boolean = () => false,
): Promise<{ ended: KnownSecret[]; kept: KnownSecret[]; revocations: Revocation[] }> {
  const { knownSecrets } = ports;
  const kinds = new Set(kindsOf(going));
  const known = await knownSecrets.knownTo(tx, tenant, going.owner.id);
  const kept = known.filter((secret) => !kinds.has(secret.kind) || keep(secret));
  const programs = new Map<string, 'client' | 'service_account'>();
  const ended: KnownSecret[] = [];
  const grants: GrantOfIssuer[] = [];
  const entries: NewRevocation[] = [];
  for (const secret of known) {
    if (kept.includes(secret)) continue;
    const issued = await knownSecrets.endKnown(tx, tenant, secret);
    if (!issued) continue;
    ended.push(secret);
    grants.push(...issued);
    const program = programOf(secret);
    if (program) programs.set(secret.credentialId, program);
    if (secret.kind === 'api_key')
      entries.push({ tenant, kind: 'jti', key: secret.secretId, expiresAt: going.expiresAt });
    await recordEnd(ports, tx, tenant, going, secret);
  }
  for (const [key, kind] of programs) {
    const epoch = await knownSecrets.nextProgramEpoch(tx, tenant, kind, key);
    if (epoch !== undefined) entries.push({ tenant, kind: 'client', key, epoch, expiresAt: going.expiresAt });
  }
  if (ended.some(({ kind }) => rightOfKind[kind] === 'client'))
    await ports.clientAnnouncements.announceClientsOf(tx, tenant);
  const onWord = await endIssuedOnWord(ports, tx, tenant, grants, going.reason);
  return {
    ended,
    kept,
    revocations: [...onWord, ...(await ports.revocations.append(tx, entries, going.reason))],
  };
}

function programOf({ kind }: KnownSecret): 'client' | 'service_account' | undefined {
  if (kind === 'client_secret' || kind === 'client_keys') return 'client';
  return kind === 'service_account_key' ? 'service_account' : undefined;
}

function recordEnd(
  { securityLog }: KnownSecretPorts,
  tx: Transaction,
  tenant: string,
  { owner: knower, reason, actor }: OwnerGoing,
  { kind, secretId, credentialId }: KnownSecret,
): Promise<void> {
  const { action, type } = entryOf[kind];
  const isOwn = kind === 'api_key' || kind === 'issuer_subject' || kind === 'stream_endpoint';
  return securityLog.record(tx, tenant, {
    action,
    resourceType: type,
    resourceId: isOwn ? secretId : credentialId,
    ...(kind === 'invitation' && { subjectId: credentialId }),
    ...(actor && { actor }),
    changes: { [kind]: { before: secretId }, knownTo: { before: knower }, reason: { after: reason } },
  });
}
