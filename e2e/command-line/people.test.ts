import { describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { knowingUser } from '../support/knowing-user.ts';
import { ScimClient } from '../support/scim.ts';
import { signIn } from '../support/sign-in.ts';
import { between } from './between.ts';
import { asClient, asDemo, asOperator, ended, ostiary, start } from './command-line.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
const scim = new ScimClient(tenant, tenant.clients.scim.token);

async function person(more: Record<string, unknown> = {}): Promise<{ id: string; userName: string }> {
  const userName = unique('cli');
  const { id } = await scim.createUser({
    userName,
    active: true,
    displayName: `Person ${userName}`,
    ...more,
  });
  return { id, userName };
}

describe('ostiary user', () => {
  test('The command find returns users by a part of their name, as a table and as JSON.', async () => {
    const { id, userName } = await person({
      emails: [{ value: `${unique('mail')}@demo.example`, primary: true }],
    });
    const found = await ostiary(['user', 'find', userName, '--json'], asDemo());
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(found.json).toMatchObject([
      { id, userName, active: true, emails: [expect.stringContaining('@')] },
    ]);
    const table = await ostiary(['user', 'find', userName], asDemo());
    expect(table.stdout.split('\n')[0]).toMatch(/^ID +USER NAME +NAME +ACTIVE +EMAIL$/);
    expect(table.stdout).toContain(userName);
  });

  test('The command find reports when more users match than the limit.', async () => {
    const first = unique('many');
    for (const last of ['a', 'b', 'c']) await person({ displayName: `${first} ${last}` });
    const [cut, whole] = [
      await ostiary(['user', 'find', first, '--limit', '2', '--json'], asDemo()),
      await ostiary(['user', 'find', first, '--limit', '3', '--json'], asDemo()),
    ];
    expect([cut.json.length, whole.json.length]).toEqual([2, 3]);
    expect([cut.stderr, whole.stderr]).toEqual([
      expect.stringContaining('More than 2 users match: --limit'),
      '',
    ]);
  });

  test('The command offboard shows the open access paths before and the closed ones after, with their times.', async () => {
    const password = 'A long enough passphrase 9';
    const { id, userName } = await person({ password });
    const signedIn = await signIn(demo, tenant, { userName, password });
    expect(signedIn.tokens.access_token).toBeDefined();
    const before = await ostiary(['user', 'doors', userName, '--json'], asDemo());
    expect(before.json).toMatchObject({
      user: { id, active: true },
      open: { sessions: 1, grants: 1 },
      departures: [],
    });
    const begun = Date.now();
    const left = await ostiary(['user', 'offboard', userName, '--yes', '--json'], asDemo());
    expect(left).toMatchObject({ code: 0 });
    const { departure, ...report } = left.json;
    expect(report).toMatchObject({
      user: { id, active: false },
      before: { sessions: 1, grants: 1 },
      after: { sessions: 0, grants: 0 },
    });
    const doors = departure.doors as { name: string; count: number; closedAt: string }[];
    expect(doors.find(({ name }) => name === 'SESSIONS')).toMatchObject({ count: 1 });
    expect(doors.length).toBeGreaterThan(10);
    for (const { closedAt } of doors) {
      expect(Date.parse(closedAt)).toBeGreaterThanOrEqual(begun - 1_000);
      expect(Date.parse(closedAt)).toBeLessThanOrEqual(Date.now() + 1_000);
    }
    const again = await ostiary(['user', 'offboard', userName, '--yes', '--json'], asDemo());
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('no changes were necessary') });
    expect(again.json.departure.securityEventId).toBe(departure.securityEventId);
  });

  test('The commands offboard and doors list the secrets that the user knew, with the owner to notify.', async () => {
    const { id, user, client, owner } = await knowingUser(demo, tenant);
    const left = await ostiary(['user', 'offboard', user.userName, '--yes', '--json'], asDemo());
    const secret = {
      kind: 'CLIENT_SECRET',
      name: client.name,
      credentialId: client.id,
      ended: true,
      endsAt: null,
      owner: { kind: 'user', id: owner.id, name: owner.userName },
    };
    expect(left.json.departure.secrets).toMatchObject([secret]);
    const doors = await ostiary(['user', 'doors', id, '--json'], asDemo());
    expect(doors.json.departures[0].secrets).toMatchObject([secret]);
    for (const command of ['doors', 'offboard']) {
      const { code, stdout } = await ostiary(['user', command, id], asDemo());
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^KNOWN SECRET +NAME +REVOKED +NOTIFY$/m)]);
      const row = stdout.split('\n').find((line) => line.includes(client.name));
      expect(row).toMatch(new RegExp(`^client secret +${client.name} +immediately +${owner.userName}$`));
    }
    const endsAt = '2031-03-04T12:00:00.000Z';
    // biome-ignore lint/suspicious/noExplicitAny: it changes any response of the graph
    const answered = (operation: string, { data }: any): void => {
      if (operation === 'Departures') Object.assign(data.departures[0].secrets[0], { ended: false, endsAt });
    };
    const { stdout } = await between({ answered }, (url) =>
      ostiary(['user', 'doors', id, '--operator', '--tenant', 'demo'], {
        ...asOperator(),
        OSTIARY_OPERATOR_URL: url,
      }),
    );
    expect(stdout).toMatch(new RegExp(`${client.name} +valid until ${endsAt} +${owner.userName}$`, 'm'));
  });

  test('The offboarding of a deleted user completes only when every access path is closed.', async () => {
    const password = 'A long enough passphrase 9';
    const { id, userName } = await person({ password });
    await signIn(demo, tenant, { userName, password });
    const left = await ostiary(['user', 'offboard', userName, '--delete', '--yes', '--json'], asDemo());
    expect(left).toMatchObject({ code: 0 });
    expect(left.json).toMatchObject({
      user: { id, active: false },
      deleted: true,
      before: { sessions: 1, grants: 1 },
      after: { sessions: 0, grants: 0 },
      departure: { trigger: 'USER_DELETED', doors: expect.arrayContaining([]) },
    });
    // The tenant can still read the offboarding by id; another tenant cannot.
    const seen = await ostiary(['user', 'doors', id, '--json'], asDemo());
    expect([seen.code, seen.json]).toMatchObject([
      0,
      { user: null, departures: [{ securityEventId: left.json.departure.securityEventId }] },
    ]);
    expect(await ostiary(['user', 'doors', id], asClient(rival))).toMatchObject({ code: 4, stdout: '' });
    expect(await ostiary(['user', 'doors', userName], asDemo())).toMatchObject({ code: 4, stdout: '' });
    // A user who was offboarded before and is deleted later is awaited in the same way.
    const other = await person();
    const args = ['user', 'offboard', other.userName, '--yes', '--json'];
    const first = await ostiary(args, asDemo());
    const second = await ostiary([...args, '--delete'], asDemo());
    expect([first.code, second.code, second.json.deleted]).toEqual([0, 0, true]);
  });

  /** Returns a hook that reports an open access path for the first `looks` polls. */
  const openFor = (looks: number, door: 'sessions' | 'clients') => {
    let looked = 0;
    // biome-ignore lint/suspicious/noExplicitAny: it changes any response of the graph
    return (operation: string, { data }: any): void => {
      if (operation !== 'Doors' || looked++ >= looks) return;
      if (door === 'clients') data.clients.totalCount = 1;
      else data.user.sessionsConnection.totalCount = 1;
    };
  };

  test.each([
    { what: 'deactivated', args: [], door: 'sessions' },
    { what: 'deactivated before', args: [], door: 'sessions', leftBefore: true },
    { what: 'deleted', args: ['--delete'], door: 'clients' },
  ] as const)(
    'While an access path of a user who is $what is open, the command waits, and fails at the timeout.',
    async (given) => {
      for (const [looks, code] of [
        [4, 0],
        [Number.POSITIVE_INFINITY, 1],
      ] as const) {
        const { userName } = await person();
        const args = ['user', 'offboard', userName, ...given.args, '--yes', '--json', '--timeout', '2'];
        if ('leftBefore' in given) expect(await ostiary(args, asDemo())).toMatchObject({ code: 0 });
        const left = await between({ answered: openFor(looks, given.door) }, (url) =>
          ostiary([...args, '--operator', '--tenant', 'demo'], {
            ...asOperator(),
            OSTIARY_OPERATOR_URL: url,
          }),
        );
        expect([looks, left.code]).toEqual([looks, code]);
        if (code === 0) expect([left.json.before[given.door], left.json.after[given.door]]).toEqual([1, 0]);
        else
          expect(left).toMatchObject({
            stdout: '',
            stderr: expect.stringContaining(`still open: ${given.door} 1`),
          });
      }
    },
  );

  test('Eight parallel offboardings of one user create one record, and each command succeeds or reports a conflict.', async () => {
    const { id, userName } = await person();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => ostiary(['user', 'offboard', userName, '--yes', '--json'], asDemo())),
    );
    const codes = all.map(({ code }) => code);
    expect(codes.every((code) => code === 0 || code === 5)).toBe(true);
    expect(codes).toContain(0);
    const doors = await ostiary(['user', 'doors', id, '--json'], asDemo());
    expect(doors.json.departures).toHaveLength(1);
  });

  test('An offboarding whose command is killed midway is completed, and the same command reports it.', async () => {
    const { id, userName } = await person();
    // Ends the command after the server's response to the mutation, before the command has read it.
    const killedAfterMutation = `
      const ask = globalThis.fetch;
      globalThis.fetch = async (url, init) => {
        const answer = await ask(url, init);
        if (String(init?.body).includes('mutation')) process.kill(process.pid, 'SIGKILL');
        return answer;
      };`;
    const preload = `data:text/javascript,${encodeURIComponent(killedAfterMutation)}`;
    const killed = ended(
      start(['user', 'offboard', userName, '--yes'], { ...asDemo(), NODE_OPTIONS: `--import=${preload}` }),
    );
    expect(await killed).toMatchObject({ code: null, stdout: '' });
    const again = await ostiary(['user', 'offboard', userName, '--yes', '--json'], asDemo());
    expect(again).toMatchObject({ code: 0 });
    expect(again.json.user).toMatchObject({ id, active: false });
    const { json } = await ostiary(['user', 'doors', id, '--json'], asDemo());
    expect(json.departures).toHaveLength(1);
  });

  test('Without a terminal there is no prompt, and no change is made without --yes.', async () => {
    const { userName } = await person();
    expect(await ostiary(['user', 'offboard', userName], asDemo())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    const { json } = await ostiary(['user', 'find', userName, '--json'], asDemo());
    expect(json[0].active).toBe(true);
  });

  test('A client of another tenant cannot find or offboard a user of the tenant.', async () => {
    const { id, userName } = await person();
    const env = asClient(rival);
    for (const name of [id, userName]) {
      for (const command of [['doors'], ['offboard', '--yes'], ['offboard', '--yes', '--delete']]) {
        const [verb = '', ...rest] = command;
        expect(await ostiary(['user', verb, name, ...rest], env)).toMatchObject({ code: 4, stdout: '' });
      }
    }
    expect((await ostiary(['user', 'find', userName, '--json'], env)).json).toEqual([]);
    // Naming the other tenant does not help.
    const elsewhere = { ...env, OSTIARY_TENANT: 'demo' };
    expect(await ostiary(['user', 'offboard', userName, '--yes'], elsewhere)).toMatchObject({
      code: 3,
      stdout: '',
    });
    const { json } = await ostiary(['user', 'find', userName, '--json'], asDemo());
    expect(json[0].active).toBe(true);
  });

  test('Escape sequences in a name are not written to the terminal, neither in a table nor in JSON.', async () => {
    const evil = `\u009b31mred\u202e`;
    const created = await scim.call('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: unique('evil'),
      title: 'x',
      displayName: `Evil ${evil}`,
    });
    // The directory may accept or reject such a name; the terminal must not receive it.
    const text = created.status === 201 ? created.body.userName : 'nobody';
    for (const args of [[], ['--json']]) {
      const { stdout, stderr } = await ostiary(['user', 'find', text, ...args], asDemo());
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for control characters
      expect(stdout + stderr).not.toMatch(/[\u001b\u0080-\u009f\u202e]/);
    }
    const argument = await ostiary(['user', 'doors', '\u001b]0;owned\u0007'], asDemo());
    expect(argument.code).toBe(4);
    expect(argument.stderr).not.toContain('\u001b');
    expect((await ostiary(['\u001b[2J'], asDemo())).stderr).not.toContain('\u001b');
  });
});
