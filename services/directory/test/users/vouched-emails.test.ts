import { describe, expect, test } from '@jest/globals';
import { acme, eventsOf, harness, make, rival, setUpUsers } from '../support/user-client.ts';

setUpUsers();

const hr = { source: 'hr', vouchesForEmails: true };
const payroll = { source: 'payroll', vouchesForEmails: true };
const doubtful = { source: 'doubtful' };
let counter = 0;
const address = () => `vouched${++counter}@example.com`;

type Email = { value: string; verified?: boolean };
/** Returns the verified addresses of a user, and checks that the read, the list and the last event agree. */
async function verified(id: string): Promise<string[]> {
  const read = await acme.read('Users', id, '?verified=true');
  const listed = await acme.search('Users', { filter: `id eq "${id}"`, verified: true });
  const notified = (await eventsOf(id)).at(-1)?.payload.emails as Email[];
  const of = (emails: Email[] = []) => emails.filter((email) => email.verified).map(({ value }) => value);
  expect(of(listed.body.Resources[0].emails)).toEqual(of(read.body.emails));
  expect(of(notified)).toEqual(of(read.body.emails));
  return of(read.body.emails).toSorted();
}
const replaceWork = (value: string) => [{ op: 'replace', path: 'emails[type eq "work"].value', value }];

describe('Sources that vouch for e-mail addresses', () => {
  test('A source that vouches makes the addresses it writes verified, and no other source does.', async () => {
    const [mine, theirs] = [address(), address()];
    const user = await make({ emails: [{ value: mine, type: 'work' }] }, hr);
    expect(await verified(user.id)).toEqual([mine]);
    const other = await make({ emails: [{ value: theirs }] }, doubtful);
    expect(await verified(other.id)).toEqual([]);
    const direct = await make({ emails: [{ value: address() }] }, { vouchesForEmails: true });
    expect(await verified(direct.id)).toEqual([]);
  });

  test('SCIM neither reads nor writes whether an address is verified, because there is no such attribute.', async () => {
    const user = await make({ emails: [{ value: address(), verified: true }] }, doubtful);
    expect(await verified(user.id)).toEqual([]);
    const known = await make({ emails: [{ value: address() }] }, hr);
    expect((await acme.read('Users', known.id)).body.emails[0]).not.toHaveProperty('verified');
    const answer = await acme.patch(
      'Users',
      user.id,
      [{ op: 'replace', path: 'emails.verified', value: true }],
      hr,
    );
    expect(answer.status).toBe(400);
    expect(await verified(user.id)).toEqual([]);
  });

  test.each<[string, (value: string) => unknown[]]>([
    ['the RFC', (value) => [{ op: 'replace', path: 'emails', value: [{ value, type: 'work' }] }]],
    ['Entra ID', replaceWork],
    ['Entra ID, new', (value) => [{ op: 'add', path: 'emails[type eq "work"].value', value }]],
    [
      'a URN',
      (value) => [
        {
          op: 'replace',
          path: 'urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"].value',
          value,
        },
      ],
    ],
    [
      'an element',
      (value) => [{ op: 'replace', path: 'emails[type eq "work"]', value: { value, type: 'work' } }],
    ],
    ['no path', (value) => [{ op: 'replace', value: { emails: [{ value, type: 'work' }] } }]],
    ['capitals', (value) => [{ op: 'replace', value: { EMAILS: [{ Value: value, type: 'work' }] } }]],
    ['all addresses', (value) => [{ op: 'replace', path: 'emails.value', value }]],
  ])(
    'A vouching PATCH in the form of %s makes the address verified, also an existing one.',
    async (_name, operations) => {
      const [old, value] = [address(), address()];
      const user = await make({ emails: [{ value: old, type: 'work' }] }, doubtful);
      expect((await acme.patch('Users', user.id, operations(value), hr)).status).toBe(200);
      expect(await verified(user.id)).toEqual([value]);
      expect((await acme.patch('Users', user.id, replaceWork(old), doubtful)).status).toBe(200);
      expect(await verified(user.id)).toEqual([]);
      expect((await acme.patch('Users', user.id, operations(old), hr)).status).toBe(200);
      expect(await verified(user.id)).toEqual([old]);
    },
  );

  test('A source that vouches does not vouch for addresses that it leaves unchanged.', async () => {
    const [old, value] = [address(), address()];
    const user = await make(
      {
        emails: [
          { value: old, type: 'home' },
          { value: address(), type: 'work' },
        ],
      },
      doubtful,
    );
    await acme.patch('Users', user.id, [{ op: 'replace', path: 'displayName', value: old }], hr);
    expect(await verified(user.id)).toEqual([]);
    await acme.patch(
      'Users',
      user.id,
      [{ op: 'replace', path: 'emails[type eq "home"].display', value: old }],
      hr,
    );
    expect(await verified(user.id)).toEqual([]);
    await acme.patch('Users', user.id, replaceWork(value), hr);
    expect(await verified(user.id)).toEqual([value]);
  });

  test('A source that vouches does not vouch for addresses that it may not write.', async () => {
    const value = address();
    const user = await make({ emails: [{ value }] }, doubtful);
    const bound = { ...hr, writable: { mode: 'except', paths: ['emails'] } };
    await acme.replace('Users', user.id, { userName: user.userName, emails: [{ value }] }, bound);
    expect(await verified(user.id)).toEqual([]);
  });
});

describe('Loss of verification', () => {
  test.each(['doubtful', undefined])(
    'An address is no longer verified when a caller who does not vouch changes it (%s).',
    async (source) => {
      const user = await make({ emails: [{ value: address(), type: 'work' }] }, hr);
      const changed = await acme.patch('Users', user.id, replaceWork(address()), source ? { source } : {});
      expect(changed.status).toBe(200);
      expect(await verified(user.id)).toEqual([]);
    },
  );

  test('An address is no longer verified when it is removed and added again.', async () => {
    const value = address();
    const user = await make({ emails: [{ value }] }, hr);
    await acme.replace('Users', user.id, { userName: user.userName }, doubtful);
    await acme.replace('Users', user.id, { userName: user.userName, emails: [{ value }] }, doubtful);
    expect(await verified(user.id)).toEqual([]);
  });

  test('An address stays verified when a caller who does not vouch repeats it.', async () => {
    const value = address();
    const user = await make({ emails: [{ value, type: 'work' }] }, hr);
    await acme.replace(
      'Users',
      user.id,
      { userName: user.userName, emails: [{ value, type: 'home' }] },
      doubtful,
    );
    expect(await verified(user.id)).toEqual([value]);
  });

  test('An address is no longer verified in another spelling from a caller who does not vouch.', async () => {
    const value = address();
    const user = await make({ emails: [{ value, type: 'work' }] }, hr);
    await acme.patch('Users', user.id, replaceWork(value.toUpperCase()), doubtful);
    expect(await verified(user.id)).toEqual([]);
  });

  test('Of parallel writes, one vouching and one not, the address that remains has the status of its writer.', async () => {
    for (let round = 0; round < 8; round += 1) {
      const user = await make({ emails: [{ value: address(), type: 'work' }] }, doubtful);
      const [theirs, ours] = [address(), address()];
      const answers = await Promise.all([
        acme.patch('Users', user.id, replaceWork(theirs), doubtful),
        acme.patch('Users', user.id, replaceWork(ours), hr),
        acme.patch('Users', user.id, [{ op: 'replace', path: 'title', value: 'Dr' }], hr),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const last = (await acme.read('Users', user.id)).body.emails[0].value;
      expect(await verified(user.id)).toEqual(last === ours ? [ours] : []);
    }
  });

  test('Of parallel writes of the same address, the vouching one counts in any order.', async () => {
    for (let round = 0; round < 8; round += 1) {
      const user = await make({ emails: [{ value: address(), type: 'work' }] }, doubtful);
      const value = address();
      await Promise.all([
        acme.patch('Users', user.id, replaceWork(value), doubtful),
        acme.patch('Users', user.id, replaceWork(value), hr),
      ]);
      expect(await verified(user.id)).toEqual([value]);
    }
  });
});

const withdraw = async (voucher: string, tenant = acme.tenant, token?: string) =>
  harness.call(
    'POST',
    `/internal/v1/tenants/${tenant}/Users/withdraw-vouching`,
    { voucher, actor: { kind: 'system', id: 'provisioning' } },
    token,
  );

describe('Withdrawal of vouching', () => {
  test('An address is not verified when its only source stops vouching, unless another source vouches for it.', async () => {
    const [both, one] = [address(), address()];
    const user = await make({ emails: [{ value: both, type: 'work' }] }, hr);
    await acme.patch('Users', user.id, replaceWork(both), payroll);
    const other = await make({ emails: [{ value: one }] }, hr);
    expect((await withdraw('hr')).body).toEqual({});
    expect(await verified(user.id)).toEqual([both]);
    expect(await verified(other.id)).toEqual([]);
    expect((await eventsOf(other.id)).at(-1)).toMatchObject({
      type: 'user.updated',
      actor: { kind: 'system', id: 'provisioning' },
      payload: { changedAttributes: ['emails'] },
    });
    await withdraw('payroll');
    expect(await verified(user.id)).toEqual([]);
    const [entry] = await harness.sql(
      `SELECT changes FROM directory.audit_log WHERE resource_id = $1 ORDER BY id DESC LIMIT 1`,
      [other.id],
    );
    expect(entry.changes).toEqual({ vouchedEmails: { before: { [one]: ['hr'] } } });
  });

  test('Neither another tenant nor another service can withdraw the vouching for the users of a tenant.', async () => {
    const value = address();
    const user = await make({ emails: [{ value }] }, hr);
    await withdraw('hr', rival.tenant);
    expect(await verified(user.id)).toEqual([value]);
    expect((await withdraw('hr', acme.tenant, harness.issuer.serviceToken('auth'))).status).toBe(403);
    expect(await verified(user.id)).toEqual([value]);
  });

  test('The withdrawal of vouching processes many users in pages.', async () => {
    const people = await Promise.all(
      Array.from({ length: 5 }, () =>
        make({ emails: [{ value: address() }] }, { source: 'crowd', vouchesForEmails: true }),
      ),
    );
    const answers = [];
    let after: string | undefined;
    do {
      const { body } = await harness.call(
        'POST',
        `/internal/v1/tenants/${acme.tenant}/Users/withdraw-vouching`,
        {
          voucher: 'crowd',
          count: 2,
          ...(after === undefined ? {} : { after }),
          actor: { kind: 'system', id: 'provisioning' },
        },
      );
      answers.push(body);
      after = body.next;
    } while (after !== undefined);
    expect(answers).toHaveLength(3);
    for (const { id } of people) expect(await verified(id)).toEqual([]);
  });
});

test('A user who is deleted and restored has no verified addresses.', async () => {
  await harness.sql(`UPDATE directory.tenants SET deletion_policy = 'soft' WHERE id = $1`, [acme.tenant]);
  const user = await make({ emails: [{ value: address() }] }, hr);
  await acme.remove('Users', user.id);
  const token = harness.issuer.token(acme.tenant, { scopes: ['users:read', 'users:write'] });
  const restored = await harness.graph(
    'mutation ($input: DeletedResourceInput!) { restoreUser(input: $input) { user { emails { verified } } } }',
    { input: { id: user.id } },
    token,
  );
  expect(restored.body).toEqual({ data: { restoreUser: { user: { emails: [{ verified: false }] } } } });
  expect(await verified(user.id)).toEqual([]);
});

test('The graph returns for each address whether it is verified.', async () => {
  const [one, two] = [address(), address()];
  const user = await make({ emails: [{ value: one, type: 'work' }] }, hr);
  await acme.patch('Users', user.id, [{ op: 'add', path: 'emails', value: [{ value: two }] }], doubtful);
  const token = harness.issuer.token(acme.tenant, { scopes: ['users:read'] });
  const { body } = await harness.graph(
    'query ($id: ID!) { user(id: $id) { emails { value verified } } }',
    { id: user.id },
    token,
  );
  expect(body.data.user.emails).toEqual([
    { value: one, verified: true },
    { value: two, verified: false },
  ]);
});
