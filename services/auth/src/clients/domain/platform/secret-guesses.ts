import { operatorClient, platformTenant } from '@ostiary/access';
import { type Guesses, platformSecretGuesses, slowDown } from '../../../platform/index.ts';

/** Origin of the authentication of a platform client. */
export interface PlatformCaller {
  clientId: string;
  /** Network of the caller, by `networkOf`. */
  network: string;
  /** True when the request comes from a process of this installation, or from this machine. */
  isInside: boolean;
}

/**
 * Verifies the secret of a platform client after counting the attempt, so that parallel guesses are counted like serial
 * ones. Attempts for the operator are always counted, those for a service only from outside: a service with a wrong
 * secret must not delay another on the same machine.
 * @param verify throws unless the secret is correct
 * @throws OAuthError slow_down (429) with the time to wait; DatabaseUnavailable when the attempt cannot be counted
 */
export async function countedPlatformSecret<T>(
  guesses: Guesses,
  { clientId, network, isInside }: PlatformCaller,
  verify: () => T,
): Promise<T> {
  if (isInside && clientId !== operatorClient) return verify();
  const key = `platform-client:${clientId}:${network}`;
  const waitMs = await guesses.begin(platformTenant, key, platformSecretGuesses);
  if (waitMs > 0) throw slowDown(waitMs);
  const verified = verify();
  await guesses.succeed(platformTenant, key, 'this');
  return verified;
}
