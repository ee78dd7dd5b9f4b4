import { Counter, Gauge, type ServiceKit } from '@ostiary/service';
import type { LoginOptions } from './login.ts';
import type { PasswordHasher } from './password.ts';

export function measureWaiting({ metrics }: ServiceKit, passwords: PasswordHasher): void {
  new Gauge({
    name: 'auth_password_hashes_waiting',
    help: 'Number of sign-ins that wait for a password hash computation',
    registers: [metrics],
    collect() {
      this.set(passwords.waiting);
    },
  });
}

/** Counts the results of rehashing passwords after a change of the configured parameters. */
export function countedRehashes({ metrics, log }: ServiceKit): NonNullable<LoginOptions['onRehash']> {
  const rehashes = new Counter({
    name: 'auth_password_rehashes_total',
    help: 'Number of password hashes with other parameters than PASSWORD_HASH_COST found at sign-in, by outcome',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  });
  return (outcome, error) => {
    rehashes.inc({ outcome });
    if (error !== undefined)
      log.warn({ event: 'password.rehash_failed', err: error }, 'Password hash could not be upgraded');
  };
}
