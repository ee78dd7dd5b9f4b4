import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { subjectReads } from '../../../src/access/roles/data/roles-held.ts';
import { rekeyUserNames } from '../../../src/tenancy/users/data/user-names.ts';
import {
  authorizeUrl,
  redeem,
  rival,
  signIn,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
} from '../../support/sign-in/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Returns the user who can sign in with a user name as typed; undefined if there is none. */
async function whoSignsIn(typed: string, at = tenant): Promise<string | undefined> {
  const client = await service.client({}, at);
  const browser = service.browser();
  const answer = await signIn(browser, client, typed);
  if (answer.status === 401) return undefined;
  const end = answer.status === 200 ? await browser.submit(answer, { action: 'allow' }) : answer;
  const { body } = await redeem(service, client, new URL(end.location ?? ''));
  return JSON.parse(Buffer.from(body.id_token?.split('.')[1] ?? '', 'base64url').toString()).sub;
}

const nfc = 'ren\u00e9';
const nfd = 'rene\u0301';

test('A user signs in with any spelling of the user name, the first time and later.', async () => {
  const person = await service.person(nfc);
  const other = await service.person(nfd, { tenant: rival });
  for (let time = 0; time < 2; time += 1) {
    for (const typed of [nfd, 'ＲＥＮÉ', 'RENE\u0301', ` ${nfc} `]) {
      expect([typed, await whoSignsIn(typed)]).toEqual([typed, person.id]);
    }
  }
  expect(await whoSignsIn(nfc, rival)).toBe(other.id);
  expect(await whoSignsIn('rene')).toBeUndefined();
});

test('A user name that can no longer be assigned still signs in, and does not match another one.', async () => {
  const spaced = await service.person('x ');
  expect(await whoSignsIn('x ')).toBe(spaced.id);
  expect(await whoSignsIn('X ')).toBe(spaced.id);
  const plain = await service.person('x');
  expect(await whoSignsIn('x')).toBe(plain.id);
  expect(await whoSignsIn('x ')).toBe(spaced.id);
  expect(await whoSignsIn(' x')).toBe(plain.id);
});

test('Users whose names have matched since an earlier release sign in by their own spelling.', async () => {
  const first = await service.person('caf\u00e9');
  const second = await service.person('cafe\u0301');
  for (let time = 0; time < 2; time += 1) {
    expect(await whoSignsIn('caf\u00e9')).toBe(first.id);
    expect(await whoSignsIn('cafe\u0301')).toBe(second.id);
    expect(await whoSignsIn('CAFE\u0301')).toBe(second.id);
  }
  // A spelling that equals neither stored one is ambiguous.
  expect(await whoSignsIn('ｃａｆｅ\u0301')).toBeUndefined();
  await service.directory.change(tenant, second.id, 'user.updated', { userName: 'coffee' });
  await eventually(
    async () => (await service.deps.subjects.find(tenant, second.id))?.profile.userName === 'coffee',
  );
  expect(await whoSignsIn('cafe\u0301')).toBe(first.id);
});

test('User name keys that a process of an earlier release wrote are computed again.', async () => {
  const { sql } = service.deps.database;
  const person = await service.person('ＢＯＢ');
  expect(await whoSignsIn('bob')).toBe(person.id);
  const old = (userName: string, key: string) =>
    sql.query('UPDATE auth.subjects SET user_name = $3, user_name_key = $4 WHERE tenant = $1 AND id = $2', [
      tenant,
      person.id,
      userName,
      key,
    ]);
  await old('ＢＯＢ', 'ｂｏｂ');
  // The user is found in the meantime too, because the directory is asked.
  expect(await whoSignsIn('bob')).toBe(person.id);
  await Promise.all([rekeyUserNames(sql), rekeyUserNames(sql)]);
  expect(await rekeyUserNames(sql)).toBe(0);
  const found = await subjectReads.findByUserName(sql, tenant, ['bob']);
  expect(found.map(({ id }) => id)).toEqual([person.id]);
});

test('A login hint fills in the user name as it was given, and the user signs in with it.', async () => {
  const person = await service.person('zo\u00eb');
  const client = await service.client();
  const browser = service.browser();
  const page = await browser.follow(await browser.get(authorizeUrl(client, { login_hint: 'ＺＯe\u0308' })));
  expect(page.text).toContain('ＺＯe\u0308');
  await signInAndAllow(browser, client, 'ＺＯe\u0308');
  expect((await service.deps.subjects.findLocalByUserName(tenant, 'ZOË'))?.id).toBe(person.id);
});
