import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { Claim } from '../../protocol/index.ts';
import type { NewRevocation, RevocationFeed } from '../../subjects/index.ts';
import type { SigningKeys } from '../data/signing-keys.ts';
import { type SigningAlgorithm, signingAlgorithms } from './jwt.ts';

export interface RotationCommand {
  /** All that the tenant has keys of when absent. */
  algorithms?: readonly SigningAlgorithm[];
  /** The keys may be in other hands: they go at once, with everything they signed. */
  compromised?: boolean;
}

export interface RotationPorts {
  signingKeys: Pick<SigningKeys, 'algorithms' | 'prepare' | 'replace'>;
  revocations: RevocationFeed;
  /** Seconds for which something issued now may still have to be revoked. */
  tokenLifetimeSeconds: number;
}

/** Verifiers keep a JWKS, and what they verified with it, for ten minutes; this is more than both. */
const cachesSeconds = 3_600;

/**
 * Begins a rotation by command. Without `compromised` it publishes successors, which the key rotation job lets sign once
 * they have been published long enough; again while they wait changes nothing.
 */
export async function rotateSigningKeys(
  ports: RotationPorts,
  tenant: string,
  command: RotationCommand,
  claim?: Claim,
): Promise<void> {
  const algorithms = [...new Set(command.algorithms ?? (await ports.signingKeys.algorithms(tenant)))];
  if (command.compromised) await replace(ports, tenant, algorithms, claim);
  else await ports.signingKeys.prepare(tenant, algorithms, claim);
}

/** Verifiers hear of it by the revocation feed: what a thief signs carries any epoch they like, but not another key. */
async function replace(
  ports: RotationPorts,
  tenant: string,
  algorithms: readonly SigningAlgorithm[],
  claim: Claim | undefined,
): Promise<void> {
  const expiresAt = Math.ceil(Date.now() / 1000) + ports.tokenLifetimeSeconds + cachesSeconds;
  let published: Revocation[] = [];
  const andThen = async (tx: Transaction, removed: readonly string[]) => {
    const entries = removed.map((kid): NewRevocation => ({ tenant, kind: 'key', key: kid, expiresAt }));
    published = await ports.revocations.append(tx, entries, 'compromised key');
  };
  await ports.signingKeys.replace(tenant, algorithms, andThen, claim);
  await ports.revocations.publish(published);
}

export const isSigningAlgorithm = (value: unknown): value is SigningAlgorithm =>
  signingAlgorithms.some((alg) => alg === value);
