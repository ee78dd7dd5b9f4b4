import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { Claim } from '../../protocol/index.ts';
import type { NewRevocation, RevocationFeed } from '../../subjects/index.ts';
import { type SigningAlgorithm, signingAlgorithms } from './jwt.ts';

export interface RotationCommand {
  /** All that the tenant has keys of when absent. */
  algorithms?: readonly SigningAlgorithm[];
  /** The keys may be in other hands: they go at once, with everything they signed. */
  compromised?: boolean;
}

/** The keys of tenants, as far as a rotation by command changes them. */
export interface RotatedKeys {
  /** What a tenant has keys of. */
  algorithms(tenant: string): Promise<SigningAlgorithm[]>;
  /** Publishes successors. False when all of them had been. */
  prepare(tenant: string, algorithms: readonly SigningAlgorithm[], claim?: Claim): Promise<boolean>;
  /** Replaces all keys at once. @param andThen is part of the transaction, and gets the ids of those that went */
  replace(
    tenant: string,
    algorithms: readonly SigningAlgorithm[],
    andThen: (tx: Transaction, removed: readonly string[]) => Promise<void>,
    claim?: Claim,
  ): Promise<void>;
}

/** The keys of all tenants, as far as the clock changes them. */
export interface AgeingKeys {
  /** What is due: `prepare` when the successor must be published, `promote` when it may sign. */
  due(
    o: { rotationSeconds: number; leadSeconds: number },
    limit: number,
  ): Promise<{ tenant: string; alg: SigningAlgorithm; step: 'prepare' | 'promote' }[]>;
  prepare(tenant: string, algorithms: readonly SigningAlgorithm[]): Promise<boolean>;
  promote(tenant: string, alg: SigningAlgorithm, leadSeconds: number): Promise<boolean>;
}

export interface RotationPorts {
  signingKeys: RotatedKeys;
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
