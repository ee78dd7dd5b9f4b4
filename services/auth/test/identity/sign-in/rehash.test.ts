import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { passwordInForce, passwordStore } from '../../../src/identity/sign-in/data/credentials.ts';
import type { PasswordInForce } from '../../../src/identity/sign-in/domain/credential-store.ts';
import { Login, type Rehash } from '../../../src/identity/sign-in/domain/login.ts';
import { PasswordHasher, PasswordQueueFull } from '../../../src/identity/sign-in/domain/password.ts';
import { passwordCost } from '../../../src/identity/sign-in/domain/password-cost.ts';
import { double } from '../../support/double.ts';
import { acceptable } from '../../support/sign-in/acceptable.ts';
import {
  password,
  rival,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
} from '../../support/sign-in/service.ts';

const former = passwordCost('m=12288,t=3,p=1');
const today = 'm=7168,t=5,p=1';
const isToday = expect.stringContaining(`$${today}$`) as unknown;

let service: TestService;
let formerHash: string;
let client: Awaited<ReturnType<TestService['client']>>;
let user: { id: string; userName: string };
let made = 0;

beforeAll(async () => {
  service = await startTestService({ asInProduction: true, env: { PASSWORD_HASH_COST: today } });
  client = await service.client({ require_consent: false });
  formerHash = await new PasswordHasher({ concurrency: 1, cost: former }).hash(acceptable(password));
});
afterAll(() => service.stop());

const sql = () => service.deps.database.sql;
const inForce = (of = tenant, id = user.id) => passwordInForce(sql(), of, id);
const stored = async (of = tenant, id = user.id) => (await inForce(of, id))?.hash;
const hashIs = (hash: string) =>
  sql().query('UPDATE auth.credentials SET hash = $1 WHERE subject_id = $2', [hash, user.id]);
const signsIn = async () => {
  const answer = await signInAndAllow(service.browser(), client, user.userName);
  return answer.searchParams.has('code');
};
const rehashes = async (outcome: Rehash): Promise<number> => {
  const metric = await service.kit.metrics.getSingleMetric('auth_password_rehashes_total')?.get();
  return metric?.values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
};

beforeEach(async () => {
  made += 1;
  user = await service.person(`former${made}`);
  // Makes the former parameters known to the service.
  expect(await signsIn()).toBe(true);
  await hashIs(formerHash);
});

describe('a password hash with other than the configured parameters', () => {
  test('The hash is replaced at the sign-in, under the same ticket, and not again.', async () => {
    const before = await inForce();
    const replaced = await rehashes('replaced');
    expect(await signsIn()).toBe(true);
    const after = await inForce();
    expect(after).toEqual({ ...before, hash: isToday });
    expect(await signsIn()).toBe(true);
    expect(await inForce()).toEqual(after);
    expect(await rehashes('replaced')).toBe(replaced + 1);
  });

  test('A wrong password does not change the hash.', async () => {
    const page = service.deps.login;
    const attempt = { tenant, userName: user.userName, password: 'wrong', address: '192.0.2.7' };
    expect(await page.signIn(attempt)).toMatchObject({ outcome: 'refused' });
    expect(await stored()).toBe(formerHash);
  });

  test('Of simultaneous sign-ins all succeed, and one replaces the hash.', async () => {
    const before = [await rehashes('replaced'), await rehashes('overtaken')] as const;
    const all = await Promise.all(Array.from({ length: 6 }, signsIn));
    expect(all).toEqual(Array(6).fill(true));
    expect(await stored()).toEqual(isToday);
    expect(await rehashes('replaced')).toBe(before[0] + 1);
    // A later sign-in found the new hash.
    expect(await rehashes('overtaken')).toBeLessThanOrEqual(before[1] + 5);
  });

  test('A password that is replaced in the meantime stays replaced, and its sign-ins are rejected.', async () => {
    const next = 'another long battery staple';
    const changed = async () => {
      const staged = await service.internal('POST', `/tenants/${tenant}/credentials`, {
        subject: user.id,
        password: next,
      });
      await service.internal('POST', `/tenants/${tenant}/credentials/${staged.body.ticket}/activate`);
    };
    await Promise.allSettled([...Array.from({ length: 4 }, signsIn), changed(), signsIn()]);
    const { login } = service.deps;
    const attempt = { tenant, userName: user.userName, address: '192.0.2.8' };
    expect((await login.signIn({ ...attempt, password: next })).outcome).toBe('accepted');
    expect((await login.signIn({ ...attempt, password })).outcome).toBe('refused');
  });

  test('A hash that is out of force, not the one given, or the rival tenant’s is not replaced.', async () => {
    const present = await inForce();
    if (!present) throw new Error('there is no password');
    const replace = (of: string, given: PasswordInForce) => passwordStore.replaceHash(sql(), of, given, 'x');
    expect(await replace(rival, present)).toBe(false);
    expect(await replace(tenant, { ...present, hash: 'another' })).toBe(false);
    const theirs = await service.person(`theirs${made}`, { tenant: rival });
    const other = await passwordInForce(sql(), rival, theirs.id);
    expect(await replace(tenant, { ...present, ticket: other?.ticket ?? '', hash: other?.hash ?? '' })).toBe(
      false,
    );
    await passwordStore.retire(sql(), tenant, user.id);
    expect(await replace(tenant, present)).toBe(false);
    expect(await stored(rival, theirs.id)).toBe(other?.hash);
  });

  test('A row that is locked by a change of the password is not waited for.', async () => {
    const present = await inForce();
    if (!present) throw new Error('there is no password');
    await service.deps.database.transaction(async (tx) => {
      await tx.query('SELECT FROM auth.credentials WHERE ticket = $1 FOR UPDATE', [present.ticket]);
      expect(await passwordStore.replaceHash(sql(), tenant, present, 'x')).toBe(false);
      expect(await signsIn()).toBe(true);
    });
    expect(await stored()).toBe(formerHash);
    expect(await signsIn()).toBe(true);
    expect(await stored()).toEqual(isToday);
  });

  test('After a crash during the replacement, the database has the former hash, the user signs in, and the next sign-in replaces it.', async () => {
    await sql().query(`CREATE FUNCTION auth.killed() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`);
    await sql().query(`CREATE TRIGGER killed AFTER UPDATE OF hash ON auth.credentials
      FOR EACH ROW EXECUTE FUNCTION auth.killed()`);
    const failed = await rehashes('failed');
    try {
      expect(await signsIn()).toBe(true);
    } finally {
      await sql().query('DROP FUNCTION auth.killed CASCADE');
    }
    expect(await rehashes('failed')).toBe(failed + 1);
    expect(await stored()).toBe(formerHash);
    expect(await signsIn()).toBe(true);
    expect(await stored()).toEqual(isToday);
    expect(service.logs.join('')).not.toContain(password);
  });

  test('A full queue does not prevent the sign-in with a correct password.', async () => {
    const outcomes: Rehash[] = [];
    const login = new Login({
      sql: sql(),
      credentials: passwordStore,
      subjects: service.deps.subjects,
      limits: {
        begin: () => Promise.resolve({ admitted: true, succeeded: nothing, undecided: nothing }),
      } as unknown as ConstructorParameters<typeof Login>[0]['limits'],
      passwords: double<PasswordHasher>({
        verify: () => Promise.resolve(true),
        rehash: () => Promise.reject(new PasswordQueueFull()),
      }),
      onRehash: (outcome) => outcomes.push(outcome),
    });
    const attempt = { tenant, userName: user.userName, password, address: '192.0.2.9' };
    expect((await login.signIn(attempt)).outcome).toBe('accepted');
    expect(outcomes).toEqual(['failed']);
    expect(await stored()).toBe(formerHash);
  });
});

const nothing = () => Promise.resolve();
