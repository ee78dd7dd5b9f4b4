import type { Revocation } from '@ostiary/access';
import type { TenantPolicy } from '@ostiary/events';
import type { Transaction, Transactions } from '@ostiary/service';
import { currentActor } from '../../../platform/index.ts';
import { type RevocationFeed, revocationExpiry } from '../../../tenancy/index.ts';
import type { CredentialOwner } from './credential-owner.ts';
import { endKnownSecrets, type KnownSecretPorts, kindsOf } from './end-known-secrets.ts';
import type { KnownSecret, ReportedSecret, SecretKind } from './known-secret.ts';
import { allOwnable } from './ownable.ts';
import type { OwnerGoing } from './owner-going.ts';

/** Decision of the tenant's policy on the secrets that an offboarded user or a group knows. */
export interface SecretFate {
  /** Successor recorded instead, or the treatment of owned credentials. */
  to: CredentialOwner | TenantPolicy['ownedCredentialsOnOffboarding'];
  /** Time at which secrets of other owners end; undefined: immediately. */
  secretsEndAt: Date | undefined;
}

/** No other user needs secrets of this kind. */
const endsAlways = (kind: SecretKind): boolean => kind === 'invitation';
/** No program uses secrets of this kind, so an owner needs no time to replace them. */
const endsWithoutOverlap = (kind: SecretKind): boolean => endsAlways(kind) || kind === 'initial_access_token';

/**
 * Ends, defers the end of, or transfers each secret that the user or group knows. @returns the secrets for the report
 */
export async function endOrHandOverSecrets(
  ports: KnownSecretPorts,
  tx: Transaction,
  tenant: string,
  going: OwnerGoing,
  { to, secretsEndAt }: SecretFate,
): Promise<{ secrets: ReportedSecret[]; revocations: Revocation[] }> {
  const isOwn = ({ owner }: KnownSecret) => owner?.id === going.owner.id;
  const isHandedOver = ({ kind }: KnownSecret) => typeof to !== 'string' && !endsAlways(kind);
  const isSuspended = (secret: KnownSecret) => to === 'suspend' && isOwn(secret);
  const isPutOff = (secret: KnownSecret) =>
    secretsEndAt !== undefined &&
    typeof to === 'string' &&
    secret.owner !== null &&
    !isOwn(secret) &&
    !endsWithoutOverlap(secret.kind);
  const stays = (secret: KnownSecret) => isHandedOver(secret) || isSuspended(secret) || isPutOff(secret);
  const { ended, kept, revocations } = await endKnownSecrets(tx, tenant, going, ports, stays);
  const secrets: ReportedSecret[] = ended.map((secret) => ({ ...secret, ended: true }));
  if (typeof to === 'string' && !secretsEndAt) return { secrets, revocations };
  const kinds = kindsOf(going);
  for (const secret of kept.filter(({ kind }) => kinds.includes(kind))) {
    if (isHandedOver(secret)) secrets.push({ ...secret, ended: false });
    else if (secretsEndAt && isPutOff(secret))
      secrets.push({
        ...secret,
        ended: false,
        endsAt: await putOff(ports, tx, tenant, going, secret, secretsEndAt),
      });
  }
  if (typeof to !== 'string') {
    if (to.kind === 'group' && kept.length > 0) await ports.knownSecrets.noteGroupKnower(tx, tenant, to.id);
    await ports.knownSecrets.replaceKnower(tx, tenant, kinds, going.owner.id, to.id);
  }
  return { secrets, revocations };
}

async function putOff(
  { knownSecrets }: KnownSecretPorts,
  tx: Transaction,
  tenant: string,
  { owner: knower, reason, actor = currentActor(undefined) }: OwnerGoing,
  { kind, secretId }: KnownSecret,
  endsAt: Date,
): Promise<string> {
  const end = { tenant, kind, secretId, knower, reason, actor };
  return (await knownSecrets.endLater(tx, end, endsAt)).toISOString();
}

export interface DueSecretPorts {
  database: Transactions;
  departure: KnownSecretPorts & { accessTokenSeconds: number };
  revocations: RevocationFeed;
}

/** Ends the secrets whose overlap is over, even if the user was reactivated. */
export async function endDueSecrets(o: DueSecretPorts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ended = await o.database.transaction((tx) => endSome(o, tx));
    if (!ended) return;
    await o.revocations.publish(ended);
  }
}

async function endSome({ departure }: DueSecretPorts, tx: Transaction): Promise<Revocation[] | undefined> {
  const due = await departure.knownSecrets.takeDueEnds(tx);
  const [first] = due;
  if (!first) return undefined;
  const { tenant, knower, reason, actor } = first;
  const expiresAt = revocationExpiry(departure.accessTokenSeconds);
  const going = { owner: knower, kinds: allOwnable, reason, actor, expiresAt };
  const isDue = ({ kind, secretId }: KnownSecret) =>
    due.some((end) => end.kind === kind && end.secretId === secretId);
  await departure.knownSecrets.holdPrograms(tx, tenant, knower.id);
  const { revocations } = await endKnownSecrets(tx, tenant, going, departure, (secret) => !isDue(secret));
  return revocations;
}
