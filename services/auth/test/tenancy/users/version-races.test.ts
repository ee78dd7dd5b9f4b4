import { describe, expect, test } from '@jest/globals';
import {
  admin,
  asking,
  column,
  newAccount,
  newApi,
  newClient,
  newIssuer,
  newKey,
  newStream,
  newWebhook,
  rivalAdmin,
  run,
  setUpChanging,
} from '../../support/sign-in/changing.ts';

setUpChanging();

/** Object that can be removed at a version, and a concurrent change of it. */
interface Removable {
  make: () => Promise<string>;
  remove: string;
  table: string;
  key?: string;
  change?: readonly [mutation: string, more: object];
}

const things: Record<string, Removable> = {
  'a webhook': {
    make: newWebhook,
    remove: 'deleteWebhook',
    table: 'receivers',
    change: ['updateWebhook', { name: 'Meanwhile' }],
  },
  'a webhook whose secret is rotated': {
    make: newWebhook,
    remove: 'deleteWebhook',
    table: 'receivers',
    change: ['rotateWebhookSecret', {}],
  },
  'a trusted issuer': { make: newIssuer, remove: 'deleteTrustedIssuer', table: 'trusted_issuers' },
  'a client': {
    make: newClient,
    remove: 'deleteClient',
    table: 'clients',
    key: 'client_id',
    change: ['updateClient', { name: 'Meanwhile' }],
  },
  'a client whose secret is rotated': {
    make: newClient,
    remove: 'deleteClient',
    table: 'clients',
    key: 'client_id',
    change: ['rotateClientSecret', {}],
  },
  'an API': {
    make: newApi,
    remove: 'deleteApi',
    table: 'apis',
    change: ['updateApi', { scopes: [] }],
  },
  'a service account': {
    make: newAccount,
    remove: 'deleteServiceAccount',
    table: 'service_accounts',
    change: ['updateServiceAccount', { name: 'Meanwhile' }],
  },
  'a stream': {
    make: newStream,
    remove: 'deleteSignalStream',
    table: 'receivers',
    change: ['updateSignalStream', { status: 'PAUSED' }],
  },
};

/** Returns the version of a row; 0 if there is none. */
const versionOf = async ({ table, key = 'id' }: Pick<Removable, 'table' | 'key'>, id: string) =>
  Number(await column(`SELECT version::text AS value FROM auth.${table} WHERE ${key}::text = $1`, [id]));

const codeOf = ({ problems }: { problems: { code: string }[] }): string => problems[0]?.code ?? 'done';

describe('requests at one version', () => {
  test.each(Object.keys(things))(
    'Of parallel requests at one version that remove %s, one succeeds.',
    async (what) => {
      const thing = things[what] as Removable;
      for (let round = 0; round < 3; round += 1) {
        const id = await thing.make();
        const asked = await Promise.all([1, 2, 3, 4].map(() => run(thing.remove, { id, version: 1 })));
        // For the others the object no longer exists.
        expect(asked.map(codeOf).sort()).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'done']);
        expect(await versionOf(thing, id)).toBe(0);
      }
    },
  );

  test.each(Object.keys(things).filter((what) => things[what]?.change))(
    'Of parallel requests at one version that remove and change %s, one succeeds.',
    async (what) => {
      const thing = things[what] as Removable;
      const [mutation, more] = thing.change as [string, object];
      for (let round = 0; round < 6; round += 1) {
        const id = await thing.make();
        const both = [
          () => run(thing.remove, { id, version: 1 }),
          () => run(mutation, { id, version: 1, ...more }),
        ];
        if (round % 2 === 1) both.reverse();
        const codes = (await Promise.all(both.map((ask) => ask()))).map(codeOf);
        if (round % 2 === 1) codes.reverse();
        const [removed, changed] = codes;
        // The second request finds another version, or no object.
        expect([
          ['done', 'NOT_FOUND'],
          ['VERSION_CONFLICT', 'done'],
        ]).toContainEqual([removed, changed]);
        expect(await versionOf(thing, id)).toBe(removed === 'done' ? 0 : 2);
      }
    },
  );

  test('Of parallel requests at one version that rotate a secret, one succeeds, and its new secret is not revoked.', async () => {
    for (const [mutation, make] of [
      ['rotateClientSecret', newClient],
      ['rotateWebhookSecret', newWebhook],
    ] as const) {
      const id = await make();
      const asked = await Promise.all(
        [1, 2, 3].map(() => run(mutation, { id, version: 1, overlapSeconds: 0 })),
      );
      expect(asked.map(codeOf).sort()).toEqual(['VERSION_CONFLICT', 'VERSION_CONFLICT', 'done']);
      const secrets = asked.flatMap(({ secret, clientSecret }) => secret ?? clientSecret ?? []);
      expect(secrets).toHaveLength(1);
    }
  });

  test('Of parallel requests at one version that remove keys of an account, one succeeds, and the other keys remain.', async () => {
    const serviceAccountId = await newAccount();
    const keys: string[] = [];
    for (let key = 0; key < 3; key += 1) {
      const added = await run('addServiceAccountKey', { serviceAccountId, jwk: newKey() });
      keys.push(added.publicKey.id);
    }
    const asked = await Promise.all(keys.map((id) => run('removeServiceAccountKey', { id, version: 1 })));
    expect(asked.map(codeOf).sort()).toEqual(['VERSION_CONFLICT', 'VERSION_CONFLICT', 'done']);
    const left =
      'SELECT count(*)::text AS value FROM auth.service_account_keys WHERE service_account_id = $1';
    expect(await column(left, [serviceAccountId])).toBe('2');
    expect(await versionOf({ table: 'service_accounts' }, serviceAccountId)).toBe(2);
  });
});

describe('removals at another version', () => {
  test('A removal at another version changes nothing, and returns the current version.', async () => {
    const id = await newWebhook();
    await run('updateWebhook', { id, name: 'Meanwhile' });
    const query = `mutation ($id: ID!) {
      deleteWebhook(input: { id: $id, version: 1 }) { id problems { code path ... on VersionConflict { currentVersion } } }
      rotateWebhookSecret(input: { id: $id, version: 1 }) { secret problems { code } }
      testWebhook(input: { id: $id, version: 1 }) { deliveryId problems { code } } }`;
    const logged = await column('SELECT count(*)::text AS value FROM auth.security_log');
    const { data } = await asking.ask(query, { id }, admin);
    const refused = { problems: [{ code: 'VERSION_CONFLICT' }] };
    expect(data).toEqual({
      deleteWebhook: {
        id: null,
        problems: [{ code: 'VERSION_CONFLICT', path: ['input', 'version'], currentVersion: 2 }],
      },
      rotateWebhookSecret: { secret: null, ...refused },
      testWebhook: { deliveryId: null, ...refused },
    });
    expect(await column('SELECT count(*)::text AS value FROM auth.security_log')).toBe(logged);
    expect(codeOf(await run('testWebhook', { id, version: 2 }))).toBe('done');
    expect(await versionOf({ table: 'receivers' }, id)).toBe(2);
  });

  test('A request at another version keeps a trusted issuer, and a client secret that works.', async () => {
    const issuer = await newIssuer();
    expect(codeOf(await run('deleteTrustedIssuer', { id: issuer, version: 2 }))).toBe('VERSION_CONFLICT');
    expect(await versionOf({ table: 'trusted_issuers' }, issuer)).toBe(1);
    const client = await newClient();
    const digests = () =>
      column(
        `SELECT string_agg(encode(digest, 'hex') || coalesce(expires_at::text, ''), ' ' ORDER BY id) AS value
           FROM auth.client_secrets WHERE client_id = $1`,
        [client],
      );
    const before = await digests();
    expect(codeOf(await run('rotateClientSecret', { id: client, version: 7 }))).toBe('VERSION_CONFLICT');
    expect([await digests(), await versionOf({ table: 'clients', key: 'client_id' }, client)]).toEqual([
      before,
      1,
    ]);
  });

  test('A removal by another tenant is answered as not found, at any version.', async () => {
    for (const { make, remove, table, key } of Object.values(things)) {
      const id = await make();
      for (const version of [1, 2]) {
        expect(codeOf(await run(remove, { id, version }, rivalAdmin))).toBe('NOT_FOUND');
      }
      expect(await versionOf({ table, ...(key && { key }) }, id)).toBe(1);
    }
  });

  test('A removal without a version succeeds as before: the last request wins.', async () => {
    const id = await newWebhook();
    await run('updateWebhook', { id, name: 'Meanwhile' });
    expect(codeOf(await run('deleteWebhook', { id }))).toBe('done');
  });
});
