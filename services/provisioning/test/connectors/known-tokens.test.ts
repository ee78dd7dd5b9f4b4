import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { typeDefs } from '../../src/composition/schema.ts';
import { ownedConnectors } from '../support/owned-connectors.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, startService } from '../support/service.ts';

// A token of a connector ends with every user who received it, for any owner of the connector.

let directory: RecordingDirectory;
let service: RunningService;
beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url, tokenKey: randomBytes(32) });
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});

const { ownership, tokenOf, program, create, transfer, shown, logOf, isOpen } = ownedConnectors(
  () => service,
);

async function rotate(token: string, id: string): Promise<string> {
  const { body } = await service.graph(
    'mutation ($input: RotateConnectorTokenInput!) { rotateConnectorToken(input: $input) { token } }',
    { token, variables: { input: { id, overlapSeconds: 600 } } },
  );
  expect(body.errors).toBeUndefined();
  return body.data.rotateConnectorToken.token;
}

async function known(id: string, o: { tenant?: string; scopes?: readonly string[] } = {}) {
  const { tenant = 'demo', scopes = ['connectors:read'] } = o;
  const { body } = await service.graph(
    `query ($representations: [_Any!]!) { _entities(representations: $representations) {
       ... on User { knownConnectorTokens { connector { id owner { ... on User { id } } } token { id } } } } }`,
    {
      token: service.authorization.token({ tenant, subject: 'program', scopes }),
      variables: { representations: [{ __typename: 'User', id }] },
    },
  );
  return body.errors ?? body.data._entities[0].knownConnectorTokens;
}

describe('The tokens known to a user', () => {
  test('A user knows the live tokens that they received, with the connector and its owner, in their tenant.', async () => {
    const [user, colleague] = [ownership().owner(), ownership().owner()];
    const { connector } = await create(tokenOf(colleague));
    await rotate(tokenOf(user), connector.id);
    const [newest] = (await shown(connector.id)).tokens;
    const connectorShown = { id: connector.id, owner: { id: colleague } };
    expect(await known(user)).toEqual([{ connector: connectorShown, token: { id: newest.id } }]);
    expect(await known(user, { tenant: 'rival' })).toEqual([]);
    expect(await known('not-an-id')).toEqual([]);
    expect(await known(user, { scopes: ['provisioning:read'] })).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
    ownership().end(user);
    await service.carryOutEnds();
    expect(await known(user)).toEqual([]);
  });
});

/** Mutations whose response contains a token: each is called below by a user and by a client. */
const returning = ['createConnector', 'rotateConnectorToken'];

test('Every mutation that returns a token has a test that the token ends with the users who received it.', () => {
  const types = [...typeDefs.matchAll(/^(?:extend )?type (\w+)[^{]*\{([\s\S]*?)^\}/gm)];
  const bodyOf = (name: string) =>
    types.flatMap(([, type, body = '']) => (type === name ? [body] : [])).join('\n');
  const mutations = [...bodyOf('Mutation').matchAll(/^ {2}(\w+)\([\s\S]*?\): (\w+)/gm)];
  expect(mutations.length).toBeGreaterThan(5);
  const found = mutations.filter(([, , payload = '']) =>
    /^ {2}\w*(?:token|secret)\w*: String/im.test(bodyOf(payload)),
  );
  expect(found.map(([, name]) => name).sort()).toEqual(returning);
});

describe("Tokens of other owners' connectors", () => {
  test('A token that an offboarded user rotated ends and is reported with the owner of the connector, which stays active.', async () => {
    const [gone, colleague] = [ownership().owner(), ownership().owner()];
    const { connector, token } = await create(tokenOf(colleague));
    const rotated = await rotate(tokenOf(gone), connector.id);
    expect([await isOpen(token), await isOpen(rotated)]).toEqual([true, true]);
    const { number } = ownership().end(gone);
    await service.carryOutEnds();
    expect([await isOpen(token), await isOpen(rotated)]).toEqual([true, false]);
    expect(await shown(connector.id)).toMatchObject({ status: 'ACTIVE' });
    expect(ownership().carriedOut.find((end) => end.number === number)).toMatchObject({
      connectors: 0,
      secrets: [
        {
          kind: 'connector_token',
          credentialId: connector.id,
          name: 'Owned',
          owner: { kind: 'user', id: colleague },
          ended: true,
        },
      ],
    });
    expect((await logOf(connector.id)).at(-1)).toMatchObject({
      action: 'connector.token_revoked',
      changes: { knownTo: { before: { kind: 'user', id: gone } }, reason: { after: 'owner: departure' } },
    });
  });

  test('A connector that a client creates, and a token that it rotates, end with the owner of the client.', async () => {
    const [gone, colleague] = [ownership().owner(), ownership().owner()];
    ownership().program('program', gone);
    const mine = await create(program());
    expect(mine.connector.owner).toEqual({ __typename: 'User', id: gone });
    const { connector } = await create(tokenOf(colleague));
    const rotated = await rotate(program(), connector.id);
    ownership().end(gone);
    await service.carryOutEnds();
    expect([await isOpen(mine.token), await isOpen(rotated)]).toEqual([false, false]);
    ownership().program('program', colleague);
  });

  test('A token of a transferred connector ends with the user who received it.', async () => {
    const [gone, colleague] = [ownership().owner(), ownership().owner()];
    const { connector, token } = await create(tokenOf(gone));
    await transfer(tokenOf(gone), { id: connector.id, ownerId: colleague });
    ownership().end(gone);
    await service.carryOutEnds();
    expect([await isOpen(token), (await shown(connector.id)).status]).toEqual([false, 'ACTIVE']);
  });

  test('A transferred token ends with the successor, also when the policy suspends connectors.', async () => {
    const [gone, successor, colleague] = [ownership().owner(), ownership().owner(), ownership().owner()];
    const { connector } = await create(tokenOf(colleague));
    const rotated = await rotate(tokenOf(gone), connector.id);
    ownership().end(gone, { verdict: 'handOver', successor });
    await service.carryOutEnds();
    expect(await isOpen(rotated)).toBe(true);
    ownership().end(successor, { verdict: 'suspend' });
    await service.carryOutEnds();
    expect(await isOpen(rotated)).toBe(false);
  });

  test('With an overlap, a token of another owner is accepted until then and reported with that time; an own one ends.', async () => {
    const [gone, colleague] = [ownership().owner(), ownership().owner()];
    const { connector } = await create(tokenOf(colleague));
    const rotated = await rotate(tokenOf(gone), connector.id);
    const own = await create(tokenOf(gone));
    const tokensEndAt = new Date(Date.now() + 86_400_000).toISOString();
    const { number } = ownership().end(gone, { tokensEndAt });
    await service.carryOutEnds();
    expect([await isOpen(rotated), await isOpen(own.token)]).toEqual([true, false]);
    expect(ownership().carriedOut.find((end) => end.number === number)?.secrets).toContainEqual(
      expect.objectContaining({ credentialId: connector.id, ended: false, endsAt: tokensEndAt }),
    );
    await service.database.sql.query(
      'UPDATE provisioning.connector_tokens SET expires_at = now() WHERE expires_at = $1',
      [tokensEndAt],
    );
    expect(await isOpen(rotated)).toBe(false);
  });

  test('The end of a user of another tenant with the same id ends nothing.', async () => {
    const id = ownership().owner();
    ownership().owner({ tenant: 'rival', id });
    const { token } = await create(tokenOf(id));
    ownership().end(id, { tenant: 'rival' });
    await service.carryOutEnds();
    expect(await isOpen(token)).toBe(true);
  });

  test('Of rotations at the same time as the end, none leaves a token that is accepted.', async () => {
    const [gone, colleague] = [ownership().owner(), ownership().owner()];
    const { connector } = await create(tokenOf(colleague));
    const attempts = Array.from({ length: 12 }, () =>
      rotate(tokenOf(gone), connector.id).catch(() => undefined),
    );
    ownership().end(gone);
    const [made] = await Promise.all([Promise.all(attempts), service.carryOutEnds()]);
    await service.carryOutEnds();
    for (const token of made) if (token !== undefined) expect(await isOpen(token)).toBe(false);
  });
});
