import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import type { NamedOwner } from '../../src/connectors/domain/ownership.ts';
import { ownedConnectors } from '../support/owned-connectors.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { byTheTest, managingConnectors, type RunningService, startService } from '../support/service.ts';

const tokenKey = randomBytes(32);

let directory: RecordingDirectory;
let service: RunningService;
/** Another process on the same data. */
let other: RunningService;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url, tokenKey });
  other = await startService({
    directoryUrl: directory.url,
    tokenKey,
    database: service.databaseUrl,
    authorization: service.authorization,
  });
});
afterAll(async () => {
  await other?.close();
  await service?.close();
  await directory?.close();
});

const { ownership, tokenOf, program, create, transfer, shown, logOf, isOpen } = ownedConnectors(
  () => service,
);
const user = (id: string) => ({ __typename: 'User', id });
const noOwner = { connector: null, problems: [{ code: 'NOT_FOUND', path: ['input', 'ownerId'] }] };

describe('Owners of connectors', () => {
  test('A connector belongs to the user who created it.', async () => {
    const person = ownership().owner();
    const own = await create(tokenOf(person));
    expect(own.connector.owner).toEqual(user(person));
    expect((await logOf(own.connector.id))[0]?.changes.owner).toEqual({
      after: { kind: 'user', id: person },
    });
  });

  test('A connector has no owner when a client created it on its own behalf, or before owners existed.', async () => {
    expect((await create(program())).connector.owner).toBeNull();
    const { connector } = await service.connector();
    expect((await shown(connector.id)).owner).toBeNull();
  });

  test('A connector belongs to the owner that is explicitly named, which may be a group.', async () => {
    const group = ownership().owner({ kind: 'group' });
    const { connector } = await create(program(), { ownerId: group.toUpperCase() });
    expect(connector.owner).toEqual({ __typename: 'Group', id: group });
  });

  test('An owner that does not exist, cannot own a connector, or is of another tenant is rejected in the same way.', async () => {
    const rivals = ownership().owner({ tenant: 'rival' });
    for (const ownerId of [uuidv7(), rivals, 'no id']) {
      expect(await create(program(), { ownerId })).toEqual({ ...noOwner, token: null });
    }
    const gone = ownership().owner();
    ownership().end(gone);
    expect(await create(tokenOf(gone))).toEqual({ ...noOwner, token: null });
    await service.carryOutEnds();
  });
});

describe('Connectors after the end of their owner', () => {
  test('By default a connector is revoked with its owner: it is disabled, its tokens are revoked permanently, and others remain.', async () => {
    const [gone, colleague] = [ownership().owner(), ownership().owner()];
    const [mine, theirs] = [await create(tokenOf(gone)), await create(tokenOf(colleague))];
    const nobodys = await create(program());
    expect(await isOpen(mine.token)).toBe(true);
    const { number } = ownership().end(gone);
    await service.carryOutEnds();
    expect(await isOpen(mine.token)).toBe(false);
    expect(await shown(mine.connector.id)).toMatchObject({
      status: 'DISABLED',
      tokens: [],
      owner: user(gone),
    });
    expect(ownership().carriedOut).toContainEqual({
      tenant: 'demo',
      ownerId: gone,
      number,
      connectors: 1,
      secrets: [],
    });
    await service.app.administration.setStatus(
      byTheTest(),
      { id: mine.connector.id },
      'active',
      async () => undefined,
    );
    expect(await isOpen(mine.token)).toBe(false);
    expect([await isOpen(theirs.token), await isOpen(nobodys.token)]).toEqual([true, true]);
    expect((await logOf(mine.connector.id))[1]).toMatchObject({
      action: 'connector.disabled',
      actor: { id: 'hr' },
      changes: {
        status: { before: 'active', after: 'disabled' },
        tokens: { before: [expect.any(String)], after: [] },
        owner: { before: { kind: 'user', id: gone } },
        reason: { after: 'owner: departure' },
      },
    });
  });

  test('A connector that was already disabled loses its tokens as well when its owner is offboarded.', async () => {
    const gone = ownership().owner();
    const { connector, token } = await create(tokenOf(gone));
    const target = { id: connector.id };
    const anybody = async () => undefined;
    await service.app.administration.setStatus(byTheTest(), target, 'disabled', anybody);
    ownership().end(gone);
    await service.carryOutEnds();
    await service.app.administration.setStatus(byTheTest(), target, 'active', anybody);
    expect(await isOpen(token)).toBe(false);
    expect((await logOf(connector.id)).map(({ action }) => action)).toContain('connector.token_revoked');
  });

  test('A connector is suspended where the policy requires it, works again once enabled, and ignores a repeated notification.', async () => {
    const gone = ownership().owner();
    const { connector, token } = await create(tokenOf(gone));
    const end = ownership().end(gone, { verdict: 'suspend' });
    await service.carryOutEnds();
    expect(await isOpen(token)).toBe(false);
    await service.app.administration.setStatus(
      byTheTest(),
      { id: connector.id },
      'active',
      async () => undefined,
    );
    ownership().repeat(end);
    await service.carryOutEnds();
    expect(await isOpen(token)).toBe(true);
    const notified = ownership().carriedOut.filter(({ number }) => number === end.number);
    expect(notified.map(({ connectors }) => connectors)).toEqual([1, 1]);
  });

  test('A connector is transferred to the successor where the policy requires it, ends with them, and is revoked without one.', async () => {
    const [gone, successor] = [ownership().owner(), ownership().owner()];
    const { connector, token } = await create(tokenOf(gone));
    ownership().end(gone, { verdict: 'handOver', successor });
    await service.carryOutEnds();
    expect(await isOpen(token)).toBe(true);
    expect((await shown(connector.id)).owner).toEqual(user(successor));
    expect((await logOf(connector.id))[1]).toMatchObject({
      action: 'connector.owner_changed',
      changes: { owner: { before: { id: gone }, after: { id: successor } } },
    });
    const late = ownership().owner();
    const { token: another } = await create(tokenOf(late));
    // The successor's own end arrives together with that of another user who transfers to the successor.
    ownership().end(late, { verdict: 'handOver', successor });
    ownership().end(successor);
    await service.carryOutEnds();
    expect([await isOpen(token), await isOpen(another)]).toEqual([false, false]);
  });

  test('A connector whose owner was named after the end remains, as for a user who returned and created another.', async () => {
    const back = ownership().owner();
    const before = await create(tokenOf(back));
    ownership().end(back, { stays: true });
    const after = await create(tokenOf(back));
    await service.carryOutEnds();
    expect([await isOpen(before.token), await isOpen(after.token)]).toEqual([false, true]);
  });

  test('The end of an owner with the same id in another tenant does not change the connector.', async () => {
    const gone = ownership().owner();
    const { token } = await create(tokenOf(gone));
    ownership().end(gone, { tenant: 'rival' });
    await service.carryOutEnds();
    expect(await isOpen(token)).toBe(true);
  });
});

describe('Concurrency and failures', () => {
  test('An end that many processes apply concurrently has one effect and one entry.', async () => {
    const gone = ownership().owner();
    const made = await Promise.all(Array.from({ length: 3 }, () => create(tokenOf(gone))));
    const end = ownership().end(gone);
    await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? other : service).carryOutEnds()));
    const notified = ownership().carriedOut.filter(({ number }) => number === end.number);
    expect(new Set(notified.map(({ connectors }) => connectors))).toEqual(new Set([3]));
    for (const { connector, token } of made) {
      expect(await isOpen(token)).toBe(false);
      expect(await logOf(connector.id)).toHaveLength(2);
    }
  });

  test('When a process stops before its report, the whole end is applied, and the next process only reports it.', async () => {
    const gone = ownership().owner();
    const { connector, token } = await create(tokenOf(gone));
    const end = ownership().end(gone);
    expect(await service.app.ownershipEnds.carryOut(end)).toMatchObject({ connectors: 1 });
    expect([await isOpen(token), ownership().pending()]).toEqual([false, 1]);
    await other.carryOutEnds();
    expect(ownership().pending()).toBe(0);
    expect(ownership().carriedOut.at(-1)).toMatchObject({ number: end.number, connectors: 1 });
    expect(await logOf(connector.id)).toHaveLength(2);
  });

  test('A connector created or transferred concurrently with the end of its owner is rejected or ends.', async () => {
    for (let round = 0; round < 10; round += 1) {
      const gone = ownership().owner();
      const { connector: theirs } = await create(program());
      const named: NamedOwner = { kind: 'user', id: gone, named: ownership().end(gone).number - 1 };
      const racing = await Promise.allSettled([
        service.connector({ owner: named }),
        other.carryOutEnds(),
        service.app.administration.transfer(byTheTest(), { id: theirs.id }, named, async () => undefined),
        service.connector({ owner: named }),
      ]);
      for (const made of [racing[0], racing[3]]) {
        if (made?.status === 'fulfilled') expect(await isOpen(made.value.token)).toBe(false);
      }
      if (racing[2]?.status === 'fulfilled') expect((await shown(theirs.id)).status).toBe('DISABLED');
      else expect((await shown(theirs.id)).owner).toBeNull();
    }
  });
});

describe('transferConnector', () => {
  test('transferConnector transfers a connector to another owner, once per idempotency key, and the connector then ends with that owner.', async () => {
    const [first, second] = [ownership().owner(), ownership().owner()];
    const { connector, token } = await create(tokenOf(first));
    const input = { id: connector.id, ownerId: second, idempotencyKey: uuidv7() };
    const [one, two] = [await transfer(program(), input), await transfer(program(), input)];
    expect([one.connector.owner, two.connector.owner]).toEqual([user(second), user(second)]);
    expect((await logOf(connector.id)).map(({ action }) => action)).toEqual([
      'connector.created',
      'connector.owner_changed',
    ]);
    ownership().end(first);
    await service.carryOutEnds();
    // The first token ends with the user who received it, the connector with its owner.
    expect([await isOpen(token), (await shown(connector.id)).status]).toEqual([false, 'ACTIVE']);
    ownership().end(second);
    await service.carryOutEnds();
    expect((await shown(connector.id)).status).toBe('DISABLED');
  });

  test('transferConnector to the current owner changes nothing, and the connector still ends with that owner.', async () => {
    const same = ownership().owner();
    const { connector, token } = await create(tokenOf(same));
    const { connector: after } = await transfer(program(), { id: connector.id, ownerId: same });
    expect(after.version).toBe(connector.version);
    ownership().end(same);
    await service.carryOutEnds();
    expect(await isOpen(token)).toBe(false);
  });

  test('transferConnector rejects an owner that the tenant does not have, and a connector of another tenant.', async () => {
    const mine = ownership().owner();
    const rivals = ownership().owner({ tenant: 'rival' });
    const { connector } = await create(tokenOf(mine));
    for (const ownerId of [rivals, uuidv7(), 'no id']) {
      expect(await transfer(program(), { id: connector.id, ownerId })).toEqual(noOwner);
    }
    expect(await transfer(program('rival'), { id: connector.id, ownerId: rivals })).toEqual({
      connector: null,
      problems: [{ code: 'NOT_FOUND', path: ['input', 'id'] }],
    });
    expect((await shown(connector.id)).owner).toEqual(user(mine));
  });

  test("transferConnector requires the scopes of all of the connector's rights, and a recent sign-in.", async () => {
    const [mine, next] = [ownership().owner(), ownership().owner()];
    const { connector } = await create(tokenOf(mine));
    const query =
      'mutation ($input: TransferConnectorInput!) { transferConnector(input: $input) { repeated } }';
    const variables = { input: { id: connector.id, ownerId: next } };
    const narrow = service.authorization.token({ subject: 'program', scopes: ['connectors:write'] });
    const old = service.authorization.token({
      subject: mine,
      client: 'console',
      scopes: managingConnectors,
      authTime: Math.floor(Date.now() / 1000) - 86_400,
    });
    for (const [token, code] of [
      [narrow, 'FORBIDDEN'],
      [old, 'INSUFFICIENT_USER_AUTHENTICATION'],
    ] as const) {
      const { body } = await service.graph(query, { token, variables });
      expect(body.errors?.[0]?.extensions?.code).toBe(code);
    }
    expect((await shown(connector.id)).owner).toEqual(user(mine));
  });
});

test('The list can be filtered by owner or by having none, and an owner of another tenant owns nothing.', async () => {
  const mine = ownership().owner();
  const { connector } = await create(tokenOf(mine));
  const list = async (filter: object, tenant = 'demo') => {
    const { body } = await service.graph(
      'query ($filter: ConnectorFilter) { connectors(first: 100, filter: $filter) { totalCount edges { node { id owner { __typename } } } } }',
      { token: program(tenant), variables: { filter } },
    );
    const { totalCount, edges } = body.data.connectors;
    expect(totalCount).toBe(edges.length);
    return edges.map(({ node }: { node: { id: string; owner: unknown } }) => node);
  };
  expect(await list({ ownerId: mine })).toEqual([{ id: connector.id, owner: { __typename: 'User' } }]);
  expect(await list({ ownerId: mine }, 'rival')).toEqual([]);
  expect(await list({ ownerId: 'no id' })).toEqual([]);
  expect(await list({ ownerId: mine, hasOwner: false })).toEqual([]);
  const nobodys = await list({ hasOwner: false });
  expect(nobodys.length).toBeGreaterThan(0);
  expect(nobodys.every(({ owner }: { owner: unknown }) => owner === null)).toBe(true);
  expect((await list({ hasOwner: true })).every(({ owner }: { owner: unknown }) => owner !== null)).toBe(
    true,
  );
});

describe('Connectors from before there were owners', () => {
  const older = async (token: string) => {
    const made = await create(token);
    await service.database.sql.query(
      'UPDATE provisioning.connectors SET owner_id = NULL, owner_kind = NULL, owner_named = NULL WHERE id = $1',
      [made.connector.id],
    );
    await service.database.sql.query(
      `UPDATE provisioning.connector_tokens SET known_to = '[]' WHERE connector_id = $1`,
      [made.connector.id],
    );
    return made;
  };

  test('An older connector gets its creator from the log as owner, ends with them, and is looked up only once.', async () => {
    const [person, represented, gone] = [ownership().owner(), ownership().owner(), ownership().owner()];
    const own = await older(tokenOf(person));
    // Created for a user by an exchanged token, which earlier releases accepted.
    const delegated = await older(tokenOf(represented));
    await service.database.sql.query(
      `UPDATE provisioning.connector_log SET actor = $2 WHERE connector_id = $1`,
      [delegated.connector.id, { kind: 'client', id: 'assistant', onBehalfOf: represented }],
    );
    const left = await older(tokenOf(gone));
    ownership().end(gone);
    await service.carryOutEnds();
    const programs = await create(program());
    const rivals = await create(
      tokenOf(ownership().owner({ tenant: 'rival', id: person }), { tenant: 'rival' }),
    );
    await Promise.all(Array.from({ length: 4 }, (_, n) => (n % 2 ? other : service).findOwners()));
    expect((await shown(own.connector.id)).owner).toEqual(user(person));
    expect((await shown(delegated.connector.id)).owner).toEqual(user(represented));
    for (const { connector } of [left, programs]) expect((await shown(connector.id)).owner).toBeNull();
    expect(await logOf(own.connector.id)).toMatchObject([
      { action: 'connector.created' },
      { action: 'connector.owner_changed', actor: { id: 'provisioning' } },
    ]);
    expect(await logOf(own.connector.id)).toHaveLength(2);
    ownership().end(person);
    await service.carryOutEnds();
    expect([await isOpen(own.token), await isOpen(left.token)]).toEqual([false, true]);
    expect((await service.scim('GET', '/Users', { token: rivals.token, tenant: 'rival' })).status).toBe(200);
    // No connector is looked up twice.
    expect(await service.findOwners()).toBe(0);
  });

  test('The search for owners of older connectors waits while the authorization server is unavailable.', async () => {
    const person = ownership().owner();
    const own = await older(tokenOf(person));
    ownership().down = true;
    await expect(service.findOwners()).rejects.toThrow();
    ownership().down = false;
    await service.findOwners();
    expect((await shown(own.connector.id)).owner).toEqual(user(person));
  });
});
