import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ConnectorRules, noRules } from '../../src/connectors/domain/connector.ts';
import { bulkRequest, post, statuses, user } from '../support/bulk-client.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import {
  anybodyMay,
  byTheTest,
  managingConnectors,
  type RunningService,
  startService,
} from '../support/service.ts';

const tokenKey = randomBytes(32);
const operations = 40;
/** Maximum number of concurrent operations of a Bulk. */
const parallel = 8;

let directory: RecordingDirectory;
let service: RunningService;
/** The process that disables the source while the first one executes the Bulk. */
let other: RunningService;
let admin: string;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url, tokenKey });
  other = await startService({
    directoryUrl: directory.url,
    tokenKey,
    database: service.databaseUrl,
    authorization: service.authorization,
  });
  admin = service.authorization.token({ subject: 'admin', scopes: managingConnectors });
});
afterAll(async () => {
  await other?.close();
  await service?.close();
  await directory?.close();
});
beforeEach(() => directory.clear());

async function mutate(mutation: string, selection = 'connector { id }') {
  const { body } = await other.graph(`mutation { ${mutation} { ${selection} } }`, { token: admin });
  expect(body.errors).toBeUndefined();
}

/**
 * Sends a Bulk, and disables its source while the directory delays its first operations.
 * @returns the statuses of the operations, and the number that reached the directory
 */
async function closedMeanwhile(token: string, close: () => Promise<unknown>) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: closed, resolve: goOn } = Promise.withResolvers<void>();
  let reached = 0;
  directory.state.respond = async ({ method }) => {
    if (method !== 'POST') return undefined;
    reached += 1;
    if (reached === parallel) begin();
    await closed;
    return undefined;
  };
  const answering = service.scim('POST', '/Bulk', {
    token,
    body: {
      schemas: [bulkRequest],
      Operations: Array.from({ length: operations }, (_, n) => post(`u${n}`, user(`u${n}`))),
    },
  });
  await begun;
  await close();
  goOn();
  return { statuses: statuses(await answering) as string[], reached: () => reached };
}

const only = (status: string, all: readonly string[]) => all.filter((one) => one === status).length;

describe('A Bulk whose source is disabled begins no further operation', () => {
  const liveTokens = async (connectorId: string) => {
    const tokens = await service.app.connectors.tokensOf('demo', [connectorId]);
    return tokens.map(({ id }) => id);
  };

  test.each<[string, (id: string) => Promise<unknown>]>([
    [
      'its token is revoked',
      async (id) =>
        mutate(`revokeConnectorToken(input: { id: "${id}", tokenId: "${(await liveTokens(id))[0]}" })`),
    ],
    [
      'its token is replaced without an overlap',
      (id) => mutate(`rotateConnectorToken(input: { id: "${id}", overlapSeconds: 0 })`),
    ],
    ['the connector is disabled', (id) => mutate(`disableConnector(input: { id: "${id}" })`)],
    ['the connector is deleted', (id) => mutate(`deleteConnector(input: { id: "${id}" })`, 'id')],
    [
      'the tenant is suspended',
      () =>
        service.database.sql.query(
          `INSERT INTO provisioning.tenants (id, name, status, version) VALUES ('demo', 'Demo', 'suspended', 1)`,
        ),
    ],
  ])('When %s in another process, the Bulk begins no further operation.', async (_name, close) => {
    const { token, connector } = await service.connector();
    const bulk = await closedMeanwhile(token, () => close(connector.id));
    await service.database.sql.query(`DELETE FROM provisioning.tenants WHERE id = 'demo'`);
    expect([only('201', bulk.statuses), only('503', bulk.statuses)]).toEqual([
      parallel,
      operations - parallel,
    ]);
    expect(bulk.reached()).toBe(parallel);
  });

  test('Revoking another token of the connector or disabling another connector does not stop the Bulk.', async () => {
    const { token: old, connector } = await service.connector();
    const [oldest] = await liveTokens(connector.id);
    const { token } = await service.app.administration.rotateToken(
      byTheTest(),
      { id: connector.id },
      3600,
      anybodyMay,
    );
    const elsewhere = await service.connector({ name: 'Elsewhere' });
    const rival = await service.connector({ tenant: 'rival' });
    const bulk = await closedMeanwhile(token, async () => {
      await mutate(`revokeConnectorToken(input: { id: "${connector.id}", tokenId: "${oldest}" })`);
      await mutate(`disableConnector(input: { id: "${elsewhere.connector.id}" })`);
      await service.app.administration.remove(byTheTest('rival'), { id: rival.connector.id });
    });
    expect(only('201', bulk.statuses)).toBe(operations);
    expect((await service.scim('GET', '/Users', { token: old })).status).toBe(401);
  });

  test('A Bulk of the client of a connector ends when the connector is disabled, not when its tokens are revoked.', async () => {
    const { connector } = await service.connector({ clientId: 'app' });
    const access = service.authorization.token({ subject: 'app', scopes: ['scim:read', 'scim:write'] });
    const [tokenId] = await liveTokens(connector.id);
    const goesOn = await closedMeanwhile(access, () =>
      mutate(`revokeConnectorToken(input: { id: "${connector.id}", tokenId: "${tokenId}" })`),
    );
    expect(only('201', goesOn.statuses)).toBe(operations);
    directory.clear();
    const ends = await closedMeanwhile(access, () =>
      mutate(`disableConnector(input: { id: "${connector.id}" })`),
    );
    expect(only('201', ends.statuses)).toBe(parallel);
  });

  describe('A Bulk with an access token', () => {
    const scopes = ['scim:read', 'scim:write'];
    const expiresAt = Math.floor(Date.now() / 1000) + 600;
    const revoke = async (
      kind: 'jti' | 'client' | 'subject' | 'tenant',
      key: string,
      tenant = 'demo',
    ): Promise<void> => service.revocations.apply([{ seq: '1', tenant, kind, key, expiresAt }]);
    const jtiOf = (token: string): string =>
      JSON.parse(Buffer.from(String(token.split('.')[1]), 'base64url').toString()).jti;

    test.each<[string, (token: string) => Promise<void>]>([
      ['the token is revoked', (token) => revoke('jti', jtiOf(token))],
      ['its client is disabled', () => revoke('client', 'bulk-app')],
    ])('When %s, a Bulk sent with an access token begins no further operation.', async (_name, close) => {
      const token = service.authorization.token({ subject: 'bulk-app', scopes });
      const bulk = await closedMeanwhile(token, () => close(token));
      expect([only('201', bulk.statuses), only('503', bulk.statuses)]).toEqual([
        parallel,
        operations - parallel,
      ]);
      expect(bulk.reached()).toBe(parallel);
    });

    test('A Bulk sent by the client of a connector ends when the access token of the client is revoked.', async () => {
      await service.connector({ clientId: 'connected-app', name: 'Spoken for' });
      const token = service.authorization.token({ subject: 'connected-app', scopes });
      const bulk = await closedMeanwhile(token, () => revoke('jti', jtiOf(token)));
      expect(only('201', bulk.statuses)).toBe(parallel);
    });

    test('Revoking another token, another client, or a client of the same name in another tenant does not stop the Bulk.', async () => {
      const token = service.authorization.token({ subject: 'lasting-app', scopes });
      const bulk = await closedMeanwhile(token, async () => {
        await revoke('jti', jtiOf(service.authorization.token({ subject: 'lasting-app', scopes })));
        await revoke('client', 'another-app');
        await revoke('client', 'lasting-app', 'rival');
      });
      expect(only('201', bulk.statuses)).toBe(operations);
    });
  });

  test('Of several concurrent revocations during several Bulks, each ends its own Bulk.', async () => {
    const sources = await Promise.all(Array.from({ length: 4 }, () => service.connector()));
    const tokenIds = await Promise.all(
      sources.map(async ({ connector }) => (await liveTokens(connector.id))[0]),
    );
    const { promise: closed, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    let reached = 0;
    directory.state.respond = async ({ method }) => {
      if (method !== 'POST') return undefined;
      reached += 1;
      if (reached === parallel * sources.length) begin();
      await closed;
      return undefined;
    };
    const answering = sources.map(({ token }) =>
      service.scim('POST', '/Bulk', {
        token,
        body: {
          schemas: [bulkRequest],
          Operations: Array.from({ length: operations }, (_, n) => post(`u${n}`, user(`u${n}`))),
        },
      }),
    );
    await begun;
    const ended = sources.slice(1);
    await Promise.all(
      ended.map(({ connector }, n) =>
        mutate(`revokeConnectorToken(input: { id: "${connector.id}", tokenId: "${tokenIds[n + 1]}" })`),
      ),
    );
    goOn();
    const done = (await Promise.all(answering)).map((answer) => only('201', statuses(answer)));
    expect(done).toEqual([operations, parallel, parallel, parallel]);
  });
});

describe('A Bulk whose source is restricted applies the new rules to each further operation', () => {
  interface Narrowing {
    /** Input of `updateConnector`. */
    input: string;
    /** Status of the operations that begin afterwards. */
    status: '201' | '403';
    /**
     * Restrictions that the directory receives with each of these, to enforce them in the transaction of the change.
     */
    notified?: object;
    /** Name of the restriction that the directory no longer receives. */
    unnotified?: string;
    /** Rights of the source before, where they exceed the default. */
    from?: Partial<ConnectorRules>;
  }
  const anyUser = '01930f6e-0000-7000-8000-000000000001';
  /** One for each rule: a new rule without one does not compile. */
  const narrowings: Readonly<Record<keyof ConnectorRules, Narrowing>> = {
    access: { input: 'access: READ_ONLY', status: '403' },
    resourceTypes: { input: 'resourceTypes: [GROUP]', status: '403' },
    attributes: {
      input: 'attributes: { mode: ONLY, paths: ["userName"] }',
      status: '201',
      notified: { writable: { mode: 'only', paths: ['userName'] } },
    },
    protectedAccounts: {
      input: `protectedAccounts: { userIds: ["${anyUser}"] }`,
      status: '201',
      notified: { protects: { users: [anyUser], groups: [] } },
    },
    vouchesForEmails: {
      from: { vouchesForEmails: true },
      input: 'vouchesForEmails: false',
      status: '201',
      unnotified: 'vouchesForEmails',
    },
  };

  describe.each(Object.entries(narrowings))(
    '%s',
    (_rule, { input, status, notified = {}, unnotified, from = {} }) => {
      const rules = { ...noRules, ...from };
      async function narrowed(token: string, connectorId: string) {
        const bulk = await closedMeanwhile(token, () =>
          mutate(`updateConnector(input: { id: "${connectorId}", ${input} })`),
        );
        const further = bulk.statuses.slice(parallel);
        expect(only('201', bulk.statuses.slice(0, parallel))).toBe(parallel);
        expect([further.length, only(status, further)]).toEqual([operations - parallel, further.length]);
        const sent = directory.commands.filter(({ method }) => method === 'POST').slice(parallel);
        expect(sent).toHaveLength(status === '201' ? operations - parallel : 0);
        for (const { body } of sent) {
          expect(body).toMatchObject(notified);
          if (unnotified !== undefined) expect(body).not.toHaveProperty(unnotified);
        }
      }

      test('A Bulk sent with a token of the connector follows the restricted rule.', async () => {
        const { token, connector } = await service.connector({ rules });
        await narrowed(token, connector.id);
      });

      test('A Bulk sent by the client of the connector follows the restricted rule.', async () => {
        const clientId = `app-${randomBytes(4).toString('hex')}`;
        const { connector } = await service.connector({ clientId, name: clientId, rules });
        const scopes = ['scim:read', 'scim:write'];
        await narrowed(service.authorization.token({ subject: clientId, scopes }), connector.id);
      });
    },
  );

  test('A Bulk of a client ends when the client is bound to a connector or unbound from it.', async () => {
    const scopes = ['scim:read', 'scim:write'];
    const { connector } = await service.connector({ name: 'Taken over' });
    const token = service.authorization.token({ subject: 'free-app', scopes });
    const bound = await closedMeanwhile(token, () =>
      mutate(`updateConnector(input: { id: "${connector.id}", clientId: "free-app" })`),
    );
    expect([only('201', bound.statuses), only('503', bound.statuses)]).toEqual([
      parallel,
      operations - parallel,
    ]);
    const freed = await closedMeanwhile(token, () =>
      mutate(`updateConnector(input: { id: "${connector.id}", clientId: null })`),
    );
    expect(only('503', freed.statuses)).toBe(operations - parallel);
  });

  test('Restricting another connector, or one of another tenant, does not restrict the Bulk.', async () => {
    const { token } = await service.connector();
    const elsewhere = await service.connector({ name: 'Another one' });
    const rival = await service.connector({ tenant: 'rival' });
    const bulk = await closedMeanwhile(token, async () => {
      await mutate(`updateConnector(input: { id: "${elsewhere.connector.id}", access: READ_ONLY })`);
      await service.app.administration.update(
        byTheTest('rival'),
        { id: rival.connector.id },
        { rules: { access: 'read' } },
        anybodyMay,
      );
    });
    expect(only('201', bulk.statuses)).toBe(operations);
  });
});
