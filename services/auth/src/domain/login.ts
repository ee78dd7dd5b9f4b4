import { createHash } from 'node:crypto';
import type { Sql } from '@ostiary/database';
import { ServiceUnavailable } from '@ostiary/service';
import type { AttemptLimit, Attempts } from '../data/attempts.ts';
import { passwordHash } from '../data/credentials.ts';
import { userNameKey } from '../data/subjects.ts';
import { networkOf } from './network.ts';
import { maxPasswordBytes, type PasswordHasher } from './password.ts';
import type { Subject } from './ports.ts';
import type { SubjectRegister } from './subjects.ts';

export interface SignInAttempt {
  tenant: string;
  userName: string;
  password: string;
  /** Where the attempt comes from. */
  address: string;
}

export type SignInResult =
  | { outcome: 'accepted'; subject: Subject }
  /** Unknown, wrong, inactive: which of them is nobody's business. */
  | { outcome: 'refused' }
  | { outcome: 'delayed'; retryAfterSeconds: number };

export interface Login {
  /** @throws ServiceUnavailable when it can't be told whether the password is right */
  signIn(attempt: SignInAttempt): Promise<SignInResult>;
}

/** Ten guesses, then a wait that doubles from five seconds to a minute; forgotten after a quarter of an hour. */
const perAccount: AttemptLimit = { free: 10, firstMs: 5_000, longestMs: 60_000, forgetMs: 900_000 };
/** An address may stand for an office, so it gets many more. */
const perAddress: AttemptLimit = { free: 300, firstMs: 1_000, longestMs: 60_000, forgetMs: 900_000 };

/** No refusal is quicker than this, so that the little that remains of a difference drowns. */
const refusalFloorMs = 120;

/** Longest user name that is looked up. */
const maxUserName = 1_024;

export function createLogin(o: {
  sql: Sql;
  subjects: Pick<SubjectRegister, 'findLocalByUserName' | 'askByUserName'>;
  attempts: Attempts;
  passwords: PasswordHasher;
}): Login {
  /** The subject if the password is theirs. The hash is computed once in every case, whoever is or isn't found. */
  async function check(attempt: SignInAttempt): Promise<Subject | undefined> {
    const { tenant, userName, password } = attempt;
    const known = await o.subjects.findLocalByUserName(tenant, userName);
    if (known) {
      const valid = await o.passwords.verify(password, await passwordHash(o.sql, tenant, known.id));
      return valid && known.active ? known : undefined;
    }
    // Asking the directory runs beside a hash that decides nothing: a name it doesn't know costs what a wrong
    // password costs. Only who is really new here is hashed again.
    const [asked] = await Promise.all([
      o.subjects.askByUserName(tenant, userName),
      o.passwords.verify(password, undefined),
    ]);
    const hash = asked?.active ? await passwordHash(o.sql, tenant, asked.id) : undefined;
    return asked && hash !== undefined && (await o.passwords.verify(password, hash)) ? asked : undefined;
  }

  return {
    async signIn(attempt) {
      const started = performance.now();
      const account = `account:${digest(`${attempt.tenant}\0${userNameKey(attempt.userName)}`)}`;
      const address = `address:${digest(networkOf(attempt.address))}`;
      const waits = await counted(
        Promise.all([o.attempts.begin(account, perAccount), o.attempts.begin(address, perAddress)]),
      );
      const wait = Math.max(...waits);
      if (wait > 0) return { outcome: 'delayed', retryAfterSeconds: Math.ceil(wait / 1000) };

      const plausible =
        attempt.userName.length <= maxUserName && Buffer.byteLength(attempt.password) <= maxPasswordBytes;
      const subject = plausible ? await check(attempt) : undefined;
      if (!subject) {
        await delay(refusalFloorMs - (performance.now() - started));
        return { outcome: 'refused' };
      }
      await counted(Promise.all([o.attempts.succeed(account, 'all'), o.attempts.succeed(address, 'this')]));
      return { outcome: 'accepted', subject };
    },
  };
}

/** Attempts that cannot be counted are not made. */
async function counted<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new ServiceUnavailable('redis', { cause: error });
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

const delay = (ms: number): Promise<void> =>
  ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
