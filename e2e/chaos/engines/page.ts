import { type Figures, recoveryMs } from '../../support/engines/under-fault.ts';
import { conditionsOf } from '../../support/run-conditions.ts';

/** Number of users offboarded during each fault. */
export const people = 8;

/** Results on one engine. */
export interface Ran {
  engine: string;
  figures: Figures[];
  /** Violations, a sentence each. */
  broken: string[];
}

/** Returns the page about one run. */
export function pageOf(seed: number, startedAt: Date, ran: readonly Ran[]): string {
  const ms = (value: number) => `${Math.round(value).toLocaleString('en')} ms`;
  const rows = ran.flatMap(({ engine, figures }) =>
    figures.map(
      ({ fault, closedMs, signsInMs, heardMs, failingMs, requests }) =>
        `| ${engine} | ${fault} | ${closedMs.length} | ${ms(Math.max(...closedMs))} | ${ms(signsInMs)} | ${ms(heardMs)} | ${requests === 0 ? 'none sent' : `${ms(failingMs)}, of ${requests.toLocaleString('en')}`} |`,
    ),
  );
  const broken = ran.flatMap((one) => one.broken);
  return [
    '# High availability',
    '',
    `This page shows how long offboarding and sign-in take during a failover of Redis or PostgreSQL. \`npm run chaos -- --engines ha --seed ${seed}\` writes it: the four services on Debian's Redis and PostgreSQL on`,
    `loopback, ${people} users offboarded during each fault. Servers count as failed after 1.5 s; then Redis elects another primary, and the standby of PostgreSQL is promoted. Ostiary needs no intervention.`,
    '',
    `Last run: ${conditionsOf(startedAt)}, shared by the engines, the services and the test.`,
    '',
    '| engine | fault | users offboarded | last access path closed after | new user signs in after | subscriber receives events after | requests of other users fail for |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '| measurement | definition |',
    '|---|---|',
    '| access path closed | from the answer to the offboarding request; independent of Redis. Without PostgreSQL the answer is 503, and the identity source retries |',
    '| new user signs in | from the fault; the user reaches the authorization server by the queue |',
    '| subscriber receives events | from the fault; an existing subscriber, or one that subscribes again because events may be lost |',
    '| requests of other users fail for | from the fault until the last failed request was sent. Two at a time, of every kind of the [upgrade test](upgrade.md) but sign-in, without retries. None is rejected (4xx), and no refresh token is lost |',
    '',
    broken.length === 0
      ? `All offboarded users are rejected on every access path. All functions recovered within ${recoveryMs / 1000} s. No process uses a former primary. Lost changes are reported. [The invariants](../guides/audit-the-invariants.md) hold.`
      : `Failed: ${broken.join('; ')}`,
    '',
    '`npm run test:full` contains a short form with TLS by a private authority and a stricter one: replication stops, users with every access path are offboarded, the primary is killed, and a replica without these changes',
    'becomes primary. No access path is open before or after the failover, and authorization codes used in between stay used (`e2e/engines/redis-sentinel.test.ts`). For PostgreSQL see',
    '`e2e/system/database-fail-over.test.ts`.',
    '',
  ].join('\n');
}
