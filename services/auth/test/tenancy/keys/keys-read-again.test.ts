import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@ostiary/database';
import { createTestDatabase } from '@ostiary/database/testing';
import { createKit } from '@ostiary/service';
import { PrismaClient } from '../../../src/platform/database/generated/client.ts';
import { HeardTenantChanges } from '../../../src/platform/memory/tenant-changes.data.ts';
import { SigningKeys } from '../../../src/tenancy/keys/data/signing-keys.ts';
import { MasterKeys } from '../../../src/tenancy/keys/domain/keys.ts';
import { migrations } from '../../support/running-auth.ts';

const lead = 0;
let now = Date.now();
let database: Database<PrismaClient>;
let drop: () => Promise<void>;
/** Two processes. */
let own: SigningKeys;
let other: SigningKeys;

beforeAll(async () => {
  const made = await createTestDatabase({ schema: 'auth', directory: migrations });
  drop = made.drop;
  const kit = { ...createKit({ name: 'test', logLevel: 'silent' }), clock: () => now };
  database = createDatabase({
    url: made.url,
    schema: 'auth',
    log: kit.log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
  const ring = new MasterKeys(randomBytes(32)).of('signing-key');
  [own, other] = [0, 1].map(() => {
    const tenantChanges = new HeardTenantChanges({ sql: database.sql, clock: kit.clock });
    return new SigningKeys({ database, ring, maxTokenLifetimeSeconds: 600, tenantChanges, kit });
  }) as [SigningKeys, SigningKeys];
});
afterAll(async () => {
  await database?.close();
  await drop?.();
});

/** Makes the cached keys so old that they are read again before use. */
const grownOld = () => {
  now += 2 * 3_600_000;
};

test('Unchanged keys that are read again are the same objects and are decrypted once.', async () => {
  const [signer, published] = [await own.signer('demo', 'ES256'), await own.existing('demo')];
  grownOld();
  expect(await own.signer('demo', 'ES256')).toBe(signer);
  expect(await own.existing('demo')).toBe(published);
});

test('A key that another process promoted signs as soon as the keys are read again, and the previous one only verifies.', async () => {
  const before = await own.signer('demo', 'ES256');
  const rival = await own.signer('rival', 'ES256');
  await other.prepare('demo', ['ES256']);
  await other.promote('demo', 'ES256', lead);
  grownOld();
  const after = await own.signer('demo', 'ES256');
  expect(after.kid).not.toBe(before.kid);
  expect(await own.verifier('demo', before.kid)).toMatchObject({ kid: before.kid, state: 'retired' });
  expect((await own.existing('demo')).map(({ kid }) => kid)).toEqual(
    (await other.existing('demo', true)).map(({ kid }) => kid),
  );
  expect(await own.signer('rival', 'ES256')).toBe(rival);
});

test('A key that another process removed verifies nothing once the keys are read again.', async () => {
  const removed = await own.signer('demo', 'ES256');
  await other.replace('demo', ['ES256'], async () => undefined);
  grownOld();
  expect(await own.verifier('demo', removed.kid)).toBeUndefined();
  expect((await own.existing('demo')).map(({ kid }) => kid)).not.toContain(removed.kid);
});
