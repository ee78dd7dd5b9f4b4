import { describe, expect, test } from '@jest/globals';
import { RevocationList } from '@ostiary/access';
import { eventually } from '@ostiary/service/testing';
import { epochOf, signedIn } from '../../support/sign-in/departing.ts';
import { service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { tenant } from '../../support/sign-in/service.ts';

setUpOneClient();

describe('revocation feed', () => {
  test('The revocation feed is only for the services of this installation.', async () => {
    expect((await fetch(`${service.origin}/internal/v1/revocations`)).status).toBe(401);
    const { tokens } = await signedIn('judy');
    const response = await fetch(`${service.origin}/internal/v1/revocations`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(response.status).toBe(401);
  });

  test('The revocation feed returns everything without a cursor, and for a cursor of another database or of the future.', async () => {
    const { person } = await signedIn('kim');
    await service.directory.change(tenant, person.id, 'user.deactivated');
    await eventually(async () => (await epochOf(person.id)) === 1);
    const page = async (after?: string) => {
      const query = after === undefined ? '' : `?after=${after}`;
      const { status, body } = await service.internal('GET', `/revocations${query}`, undefined, 'gateway');
      if (status !== 200)
        throw new Error(`${status} ${JSON.stringify(body)} ${service.logs.join('').slice(-2_000)}`);
      return body as unknown as {
        cursor: string;
        entries: { seq: string; kind: string; key: string; epoch?: number }[];
        maxSeq: string;
      };
    };
    const all = await page();
    expect(all.entries).toContainEqual(
      expect.objectContaining({ kind: 'subject', key: person.id, epoch: 1 }),
    );
    expect(all.maxSeq).toBe(all.entries.at(-1)?.seq);
    // Open transactions of other tests on this server may repeat some entries.
    expect(all.entries).toEqual(expect.arrayContaining((await page(all.cursor)).entries));
    expect((await page(all.cursor.replace(/^\d+/, '1'))).entries).toEqual(all.entries);
    expect((await page(`${all.cursor.split('.')[0]}.99999999999`)).entries).toEqual(all.entries);
    expect((await page('nonsense')).entries).toEqual(all.entries);
  });

  test('The revocation feed never skips a revocation that commits after a later entry.', async () => {
    const { database, revocations } = service.deps;
    const expiresAt = Math.ceil(Date.now() / 1000) + 60;
    const entry = (key: string) => [{ tenant, kind: 'jti' as const, key, expiresAt }];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let appended = () => {};
    const early = new Promise<void>((resolve) => {
      appended = resolve;
    });
    const slow = database.transaction(async (tx) => {
      await revocations.append(tx, entry('slow'));
      appended();
      await held;
    });
    await early;
    await database.transaction((tx) => revocations.append(tx, entry('quick')));
    const first = await revocations.page();
    expect(first.entries.map((item) => item.key)).toContain('quick');
    expect(first.entries.map((item) => item.key)).not.toContain('slow');
    release();
    await slow;
    const second = await revocations.page(first.cursor);
    expect(second.entries.map((item) => item.key)).toContain('slow');
  });

  test('The revocation feed is pushed to every verifier, and announced again by heartbeat.', async () => {
    const { redis, env } = service.deps;
    const { person } = await signedIn('leo');
    await service.directory.change(tenant, person.id, 'user.deactivated');
    const list = new RevocationList();
    await eventually(async () => {
      const messages = await redis.xrange(`{${env.REDIS_PREFIX}}:revocations`, '-', '+');
      for (const [, fields] of messages) {
        if (fields[0] === 'entries') list.apply(JSON.parse(fields[1] ?? '[]'));
      }
      return messages.some(([, fields]) => fields[0] === 'maxSeq') && list.size > 0;
    });
  });
});
