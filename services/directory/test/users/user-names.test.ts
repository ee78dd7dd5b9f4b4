import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';

let harness: Harness;
let acme: TenantClient;
let rival: TenantClient;

beforeAll(async () => {
  harness = await startDirectory();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
});

const create = (userName: string, at = acme) => at.create('Users', { userName });
const found = async (filter: string, at = acme): Promise<string[]> => {
  const { status, body } = await at.search('Users', { filter });
  expect([filter, status]).toEqual([filter, 200]);
  return body.Resources.map(({ userName }: Json) => userName).sort();
};

test.each([
  ['caf\u00e9', ['cafe\u0301', 'CAF\u00c9', 'CAFE\u0301', 'ｃａｆé']],
  ['alice', ['Alice', 'ａｌｉｃｅ', 'ＡＬＩＣＥ']],
  ['ガラス', ['ｶﾞﾗｽ', 'カ\u3099ラス']],
  ['οδος', ['ΟΔΟΣ']],
  ['i\u0307stanbul', ['İstanbul', 'İSTANBUL']],
  ['Anna Smith', ['anna\u3000smith', 'ANNA SMITH']],
])('The user name %s is one name in all its spellings.', async (first, others) => {
  expect((await create(first)).status).toBe(201);
  for (const other of others) {
    const answer = await create(other);
    expect([other, answer.status, answer.body.scimType]).toEqual([other, 409, 'uniqueness']);
    // No other user can take an equivalent name later.
    expect(await found(`userName eq ${JSON.stringify(other)}`)).toEqual([first]);
    expect(await found(`userName co ${JSON.stringify(other)}`)).toEqual([first]);
    expect(await found(`userName sw ${JSON.stringify(other.slice(0, 2))}`)).toEqual([first]);
    expect(await found(`userName ne ${JSON.stringify(other)}`)).toEqual([]);
    const { body } = await create(`other-${other.length}-${others.indexOf(other)}`);
    for (const operations of [[{ op: 'replace', path: 'userName', value: other }]]) {
      expect((await acme.patch('Users', body.id, operations)).status).toBe(409);
    }
    expect((await acme.replace('Users', body.id, { userName: other })).status).toBe(409);
    await acme.remove('Users', body.id);
  }
  // Another tenant's names are separate.
  expect((await create(others[0] as string, rival)).status).toBe(201);
  expect(await found(`userName eq ${JSON.stringify(first)}`, rival)).toEqual([others[0]]);
});

test('Different user names stay different.', async () => {
  for (const name of ['istanbul', 'İstanbul', 'ıstanbul', 'аlice', 'alice']) {
    expect([name, (await create(name)).status]).toEqual([name, 201]);
  }
  expect(await found('userName eq "ISTANBUL"')).toEqual(['istanbul']);
  expect(await found('userName eq "İSTANBUL"')).toEqual(['İstanbul']);
});

test('Of twenty parallel spellings of one name, one is accepted.', async () => {
  const spellings = ['caf\u00e9', 'cafe\u0301', 'CAFE\u0301', 'ｃａｆé', 'ＣＡＦÉ'];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => create(spellings[index % spellings.length] as string)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
});

test.each([
  ['x ', 'begin or end with a space'],
  [' x', 'begin or end with a space'],
  ['a  b', 'consecutive spaces'],
  ['ali\u200bce', 'U+200B'],
  ['ali\u00adce', 'U+00AD'],
  ['alice\u202e', 'bidirectional control character U+202E'],
  ['al\u0001ice', 'control character U+0001'],
  ['al\tice', 'control character U+0009'],
  ['aא', 'right-to-left'],
  ['☃', 'U+2603'],
])('The user name %j is rejected for every user.', async (userName, why) => {
  const { id } = (await create('renamed')).body;
  for (const answer of [
    await create(userName),
    await acme.replace('Users', id, { userName }),
    await acme.patch('Users', id, [{ op: 'replace', path: 'userName', value: userName }]),
    await acme.patch('Users', id, [{ op: 'replace', value: { userName } }]),
  ]) {
    expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidValue']);
    expect(answer.body.detail).toContain(why);
    expect(answer.body.detail).toContain('userName');
  }
  expect((await acme.read('Users', id)).body.userName).toBe('renamed');
});

test('Characters that reverse or hide text are rejected in every attribute that is displayed.', async () => {
  const refused = async (answer: Promise<Json>, name: string) => {
    const { status, body } = await answer;
    expect([status, body.scimType, body.detail]).toEqual([
      400,
      'invalidValue',
      expect.stringContaining(name),
    ]);
  };
  const bad = 'Payroll\u202e';
  await refused(acme.create('Users', { userName: 'a', displayName: bad }), 'displayName');
  await refused(acme.create('Users', { userName: 'a', name: { familyName: 'a\u0007' } }), 'name.familyName');
  await refused(acme.create('Users', { userName: 'a', externalId: 'a\u200b' }), 'externalId');
  await refused(
    acme.create('Users', { userName: 'a', emails: [{ value: 'a\u200b@x.org' }] }),
    'emails.value',
  );
  await refused(acme.create('Groups', { displayName: bad }), 'displayName');
  await refused(acme.create('Groups', { displayName: 'Admins\u200b' }), 'displayName');
  const { body: group } = await acme.create('Groups', { displayName: 'Payroll' });
  const rename = (value: string) =>
    acme.patch('Groups', group.id, [{ op: 'replace', path: 'displayName', value }]);
  await refused(rename(bad), 'displayName');
  await refused(acme.replace('Groups', group.id, { displayName: bad }), 'displayName');
  // Some languages are written with joiners.
  expect((await rename('نامه\u200cها')).status).toBe(200);
});

test('A value from before the rule can stay, and can be removed.', async () => {
  const { id } = (await create('before')).body;
  // Written as an earlier release accepted it.
  await harness.sql(
    `UPDATE directory.users SET user_name = 'x ', user_name_key = 'x ', data = data || '{"userName":"x ","title":"a","displayName":"a\\u202eb"}',
            folded = folded || '{"userName":"x "}' WHERE tenant = $1 AND id = $2`,
    [acme.tenant, id],
  );
  expect(await found('userName eq "X "')).toEqual(['x ']);
  const retitled = await acme.patch('Users', id, [{ op: 'replace', path: 'title', value: 'b' }]);
  expect([retitled.status, retitled.body.userName]).toEqual([200, 'x ']);
  const replaced = await acme.replace('Users', id, { userName: 'x ', displayName: 'a\u202eb' });
  expect(replaced.status).toBe(200);
  expect((await acme.replace('Users', id, { userName: 'x ', displayName: 'c\u202e' })).status).toBe(400);
  expect((await create('x ')).status).toBe(400);
  expect((await create('x')).status).toBe(201);
  expect((await acme.replace('Users', id, { userName: 'y' })).status).toBe(200);
});
