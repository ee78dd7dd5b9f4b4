import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { Claim } from '../../../platform/index.ts';
import type { NewRevocation, RevocationFeed } from '../../users/domain/revocation-feed.ts';
import { type SigningAlgorithm, signingAlgorithms } from './jwt.ts';

export interface RotationCommand {
  /** Absent: all algorithms of which the tenant has keys. */
  algorithms?: readonly SigningAlgorithm[];
  /** The keys are compromised: deletes them immediately and revokes everything that they signed. */
  compromised?: boolean;
}

/** Keys of tenants, for a rotation by command. */
export interface RotatedKeys {
  algorithms(tenant: string): Promise<SigningAlgorithm[]>;
  /** Publishes successors. Returns false if all exist. */
  prepare(tenant: string, algorithms: readonly SigningAlgorithm[], claim?: Claim): Promise<boolean>;
  /** Replaces all keys immediately. @param andThen runs in the transaction with the ids of the deleted keys */
  replace(
    tenant: string,
    algorithms: readonly SigningAlgorithm[],
    andThen: (tx: Transaction, removed: readonly string[]) => Promise<void>,
    claim?: Claim,
  ): Promise<void>;
}

/** Keys of all tenants, for the scheduled rotation. */
export interface AgeingKeys {
  /** Returns due keys: `prepare` if the successor must be published, `promote` if it may sign. */
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
  /** Seconds for which a token issued now can be valid. */
  tokenLifetimeSeconds: number;
}

/** Longer than verifiers cache a JWKS and verified tokens, ten minutes each. In seconds. */
const cachesSeconds = 3_600;

/**
 * Begins a rotation by command. Without `compromised` it publishes successors, which sign after the key rotation job
 * finds them published long enough. Repeated calls in the meantime change nothing.
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

/**
 * Verifiers are notified through the revocation feed by key id: a forged token may contain any epoch, but cannot have
 * another key.
 */
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
