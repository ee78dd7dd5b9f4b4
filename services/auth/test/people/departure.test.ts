import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTokenVerifier, RevocationList } from '@ostiary/access';
import type { NewEvent } from '@ostiary/events';
import fc from 'fast-check';
import type { SubjectState } from '../../src/data/subjects.ts';
import { liveApiToken } from '../../src/domain/api-token-reader.ts';
import { judge, type SubjectNews } from '../../src/domain/departure.ts';
import { serviceAccountClient } from '../../src/domain/grant-jwt-bearer.ts';
import type { Client } from '../../src/domain/ports.ts';
import {
  authorizeUrl,
  eventually,
  password,
  redeem,
  rival,
  signIn,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
  userinfoStatus,
} from './service.ts';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await startTestService();
  client = await service.client({ require_consent: false });
});
afterAll(() => service.stop());

const scope = 'openid profile offline_access';

async function signedIn(userName: string) {
  const person = await service.person(userName);
  const browser = service.browser();
  const { body } = await redeem(service, client, await signInAndAllow(browser, client, userName, { scope }));
  return { person, browser, tokens: body };
}

const epochOf = async (id: string): Promise<number> => {
  const { rows } = await service.deps.database.sql.query<{ epoch: number }>(
    'SELECT epoch FROM auth.subjects WHERE tenant = $1 AND id = $2',
    [tenant, id],
  );
  return rows[0]?.epoch ?? -1;
};

const versionOf = async (id: string): Promise<number> =>
  Number((await service.deps.subjects.find(tenant, id))?.version ?? -1);

const isHandled = async (events: readonly NewEvent[]): Promise<boolean> => {
  const ids = events.map((event) => event.id ?? '');
  return (await service.deps.directoryEvents.missing(ids)).length === 0;
};

const numbered = (event: NewEvent): NewEvent => ({ ...event, id: crypto.randomUUID() });

describe('when a person is deactivated', () => {
  test('session, refresh token, unexpired access token and sign-in are refused within moments', async () => {
    const { person, browser, tokens } = await signedIn('alice');
    const pending = (await browser.get(authorizeUrl(client))).location ?? '';
    expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(200);

    await service.directory.change(tenant, person.id, 'user.deactivated');
    await eventually(async () => (await userinfoStatus(service, tokens.access_token ?? '')) === 401);

    const refreshed = await token(service, client, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    });
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
    expect((await redeem(service, client, new URL(pending))).body.error).toBe('invalid_grant');
    const silent = await browser.get(authorizeUrl(client, { prompt: 'none' }));
    expect(new URL(silent.location ?? '').searchParams.get('error')).toBe('login_required');
    expect((await signIn(service.browser(), client, 'alice')).status).toBe(401);
  });

  test('coming back revives nothing old, and lets them sign in again', async () => {
    const { person, browser, tokens } = await signedIn('bob');
    await service.directory.change(tenant, person.id, 'user.deactivated');
    await service.directory.change(tenant, person.id, 'user.reactivated');
    await eventually(async () => (await versionOf(person.id)) === 3);
    await eventually(async () => (await epochOf(person.id)) === 1);
    expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(401);
    const silent = await browser.get(authorizeUrl(client, { prompt: 'none' }));
    expect(new URL(silent.location ?? '').searchParams.get('error')).toBe('login_required');
    const again = await redeem(service, client, await signInAndAllow(service.browser(), client, 'bob'));
    expect(await userinfoStatus(service, again.body.access_token ?? '')).toBe(200);
  });

  test('deleting does the same, and leaves no name, password or consent behind', async () => {
    const { person, tokens } = await signedIn('carol');
    await service.directory.change(tenant, person.id, 'user.deleted');
    await eventually(async () => (await userinfoStatus(service, tokens.access_token ?? '')) === 401);
    await eventually(async () => (await epochOf(person.id)) === 1);
    const { rows } = await service.deps.database.sql.query<{ user_name: string; profile: object }>(
      'SELECT user_name, profile FROM auth.subjects WHERE id = $1',
      [person.id],
    );
    expect(rows).toEqual([{ user_name: '', profile: { userName: '', emails: [] } }]);
    expect(await service.deps.subjects.find(tenant, person.id)).toBeNull();
  });

  test("nobody else is touched, the rival's namesake least of all", async () => {
    const { person } = await signedIn('dave');
    const { tokens: bystander } = await signedIn('erin');
    const theirs = await service.client({ require_consent: false }, rival);
    await service.person('dave', { tenant: rival });
    const { body: namesake } = await redeem(
      service,
      theirs,
      await signInAndAllow(service.browser(), theirs, 'dave'),
    );
    await service.directory.change(tenant, person.id, 'user.deactivated');
    await eventually(async () => (await epochOf(person.id)) === 1);
    expect(await userinfoStatus(service, bystander.access_token ?? '')).toBe(200);
    expect(await userinfoStatus(service, namesake.access_token ?? '', rival)).toBe(200);
  });
});

describe('events in another order', () => {
  test('an older event never undoes a newer state', async () => {
    const { person } = await signedIn('frank');
    const renamed = numbered(
      service.directory.changed(tenant, person.id, 'user.updated', { displayName: 'Old' }),
    );
    const gone = numbered(
      service.directory.changed(tenant, person.id, 'user.deactivated', { displayName: 'New' }),
    );
    await service.directory.send([gone]);
    await eventually(() => isHandled([gone]));
    await service.directory.send([renamed]);
    await eventually(() => isHandled([renamed]));
    const subject = await service.deps.subjects.find(tenant, person.id);
    expect(subject).toMatchObject({ active: false, epoch: 1, profile: { displayName: 'New' } });
  });

  test('a reactivation that overtakes its deactivation ends what was issued before; the late one ends nothing new', async () => {
    const { person, tokens } = await signedIn('grace');
    const gone = numbered(service.directory.changed(tenant, person.id, 'user.deactivated'));
    const back = numbered(service.directory.changed(tenant, person.id, 'user.reactivated'));
    await service.directory.send([back]);
    await eventually(() => isHandled([back]));
    expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(401);
    const fresh = await redeem(service, client, await signInAndAllow(service.browser(), client, 'grace'));
    await service.directory.send([gone]);
    await eventually(() => isHandled([gone]));
    expect(await userinfoStatus(service, fresh.body.access_token ?? '')).toBe(200);
    expect(await service.deps.subjects.find(tenant, person.id)).toMatchObject({ active: true, epoch: 1 });
  });

  test('a deactivation that comes after a newer snapshot still ends what was issued before', async () => {
    const { person, tokens } = await signedIn('heidi');
    const gone = numbered(service.directory.changed(tenant, person.id, 'user.deactivated'));
    service.directory.changed(tenant, person.id, 'user.reactivated');
    const newest = numbered(service.directory.changed(tenant, person.id, 'user.updated'));
    await service.directory.send([newest]);
    await eventually(() => isHandled([newest]));
    await service.directory.send([gone]);
    await eventually(() => isHandled([gone]));
    expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(401);
    expect(await service.deps.subjects.find(tenant, person.id)).toMatchObject({ active: true, epoch: 1 });
  });

  test('the same event twice has one effect', async () => {
    const { person } = await signedIn('ivan');
    const gone = numbered(service.directory.changed(tenant, person.id, 'user.deactivated'));
    await service.directory.send([gone]);
    await eventually(() => isHandled([gone]));
    const redelivered = { ...gone, id: crypto.randomUUID() };
    await service.directory.send([redelivered]);
    await eventually(() => isHandled([redelivered]));
    expect(await epochOf(person.id)).toBe(1);
  });

  test('in every order of a life, the end is right and nothing issued before a departure survives it', () => {
    interface Life {
      news: SubjectNews[];
      order: number[];
    }
    const profile = { userName: 'x', emails: [] };
    const lives: fc.Arbitrary<Life> = fc
      .array(fc.constantFrom('update', 'leave', 'return', 'delete'), { minLength: 1, maxLength: 8 })
      .chain((steps) => {
        let active = true;
        let deleted = false;
        const news = steps.map((step, index): SubjectNews => {
          // After a deletion there is only a restoration, or the deletion for good.
          const reactivated = (step === 'return' && !active) || (step === 'update' && deleted);
          deleted = step === 'delete' || (deleted && step === 'leave');
          active = !deleted && (step === 'leave' ? false : reactivated || active);
          const restorable = step === 'delete';
          return { id: 'x', version: BigInt(index + 2), active, deleted, restorable, reactivated, profile };
        });
        return fc.record({
          news: fc.constant(news),
          order: fc.shuffledSubarray([...news.keys()], { minLength: news.length }),
        });
      });
    fc.assert(
      fc.property(lives, ({ news, order }) => {
        // Something was issued at version 1, while the person was active.
        let state: SubjectState = {
          active: true,
          deleted: false,
          version: 1n,
          departedVersion: 0n,
          epoch: 0,
        };
        for (const index of order) {
          const item = news[index] as SubjectNews;
          const { store, depart, departedVersion } = judge(state, item);
          state = {
            ...(store
              ? { ...state, active: item.active, deleted: item.deleted, version: item.version }
              : state),
            departedVersion,
            epoch: state.epoch + (depart ? 1 : 0),
          };
        }
        const last = news.at(-1) as SubjectNews;
        const everLeft = news.some((item) => !item.active);
        expect(state.version).toBe(last.version);
        expect(state.active).toBe(last.active);
        expect(state.deleted).toBe(last.deleted);
        expect(state.epoch > 0).toBe(everLeft);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a sign-in that races with a departure', () => {
  test('leaves no live session and no live token behind, however they interleave', async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await service.person(`racer-${round}`);
      await signIn(service.browser(), client, person.userName);
      const logins = Array.from({ length: 6 }, async () => {
        const browser = service.browser();
        const answer = await signIn(browser, client, person.userName, { fields: { scope } });
        if (!answer.location?.includes('code=')) return undefined;
        return (await redeem(service, client, new URL(answer.location))).body.access_token;
      });
      await new Promise((resolve) => setTimeout(resolve, round * 6));
      await service.directory.change(tenant, person.id, 'user.deactivated');
      const tokens = await Promise.all(logins);
      await eventually(async () => (await epochOf(person.id)) === 1);
      const { rows } = await service.deps.database.sql.query<{ live: number }>(
        `SELECT (SELECT count(*) FROM auth.sessions WHERE subject_id = $1 AND revoked_at IS NULL)::int
              + (SELECT count(*) FROM auth.grants WHERE subject_id = $1 AND revoked_at IS NULL)::int AS live`,
        [person.id],
      );
      expect(rows[0]?.live).toBe(0);
      for (const accessToken of tokens) {
        if (accessToken) expect(await userinfoStatus(service, accessToken)).toBe(401);
      }
    }
  });
});

describe('a suspended tenant', () => {
  test('is refused everywhere, and what was issued before stays dead when it comes back', async () => {
    service.directory.addTenant('closing', 'Closing');
    const theirs = await service.client({ require_consent: false }, 'closing');
    await service.person('zoe', { tenant: 'closing' });
    const browser = service.browser();
    const { body: before } = await redeem(service, theirs, await signInAndAllow(browser, theirs, 'zoe'));
    const changed = (status: 'active' | 'suspended', version: number): NewEvent => ({
      tenant: 'closing',
      type: 'tenant.updated',
      subject: 'closing',
      version,
      actor: { kind: 'system', id: 'test' },
      payload: { id: 'closing', name: 'Closing', status },
    });
    await service.directory.send([changed('suspended', 2)]);
    await eventually(async () => (await browser.get(authorizeUrl(theirs))).status === 403);
    expect([401, 403, 404]).toContain(await userinfoStatus(service, before.access_token ?? '', 'closing'));

    await service.directory.send([changed('active', 3)]);
    await eventually(async () => (await browser.get(authorizeUrl(theirs))).status === 303);
    // Another process may take a second to see the client's new epoch.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await userinfoStatus(service, before.access_token ?? '', 'closing')).toBe(401);
    const { body: after } = await redeem(
      service,
      theirs,
      await signInAndAllow(service.browser(), theirs, 'zoe'),
    );
    expect(await userinfoStatus(service, after.access_token ?? '', 'closing')).toBe(200);
  });
});

describe('a suspended tenant’s own programs', () => {
  const renewed = (id: string, status: 'active' | 'suspended', version: number): NewEvent => ({
    tenant: id,
    type: 'tenant.updated',
    subject: id,
    version,
    actor: { kind: 'system', id: 'test' },
    payload: { id, name: id, status },
  });

  test('a service account’s access token ends with the suspension, at every verifier, and stays dead', async () => {
    service.directory.addTenant('robots', 'Robots');
    await service.deps.tenants.find('robots');
    const { deps } = service;
    const account = await deps.serviceAccounts.create('robots', { name: 'Robot', scopes: ['users:read'] });
    const { token: accessToken } = await deps.accessTokens.issue('robots', {
      client: serviceAccountClient('robots', account),
      scopes: ['users:read'],
      resources: [],
    });
    const accepted = () =>
      deps.verifier.verify(accessToken, { audience: deps.issuer('robots') }).then(
        () => true,
        () => false,
      );
    expect(await accepted()).toBe(true);
    await service.directory.send([renewed('robots', 'suspended', 2)]);
    await eventually(async () => !(await accepted()));
    await service.directory.send([renewed('robots', 'active', 3)]);
    await eventually(async () => (await deps.tenants.find('robots'))?.status === 'active');
    expect(await accepted()).toBe(false);
    expect(await deps.introspection.liveAccessToken('robots', accessToken)).toBeNull();
  });

  test('API keys and personal access tokens that a verifier remembers are refused at once', async () => {
    service.directory.addTenant('keys', 'Keys');
    const { deps } = service;
    const person = await service.person('owner', { tenant: 'keys' });
    const subject = await deps.subjects.find('keys', person.id);
    if (!subject) throw new Error('no such person');
    const personal = await deps.apiTokens.createPersonal('keys', subject, { name: 'script' });
    const account = await deps.serviceAccounts.create('keys', { name: 'Robot', scopes: ['users:read'] });
    const key = await deps.apiTokens.createKey('keys', account.id, { name: 'key' }, () => undefined);
    // As another service's verifier: it asks once and goes by the revocation list from then on.
    let asked = 0;
    const verifier = createTokenVerifier({
      publicOrigin: deps.env.PUBLIC_ORIGIN,
      keys: { keys: () => Promise.reject(new Error('not for API tokens')) },
      revocations: deps.revocationList,
      introspect: async () => true,
      apiToken: async (text) => {
        asked += 1;
        return liveApiToken(deps, text);
      },
      maxStalenessMs: 10_000,
      clock: deps.kit.clock,
      monotonic: deps.kit.clock,
    });
    const accepted = (text: string) =>
      verifier.verify(text, { audience: deps.issuer('keys') }).then(
        () => true,
        () => false,
      );
    for (const { token: text } of [personal, key]) {
      expect(await accepted(text)).toBe(true);
      expect(await accepted(text)).toBe(true);
    }
    expect(asked).toBe(2);
    await service.directory.send([renewed('keys', 'suspended', 2)]);
    await eventually(async () => (await deps.tenants.find('keys'))?.status === 'suspended');
    await eventually(async () => !(await accepted(personal.token)) && !(await accepted(key.token)));
  });
});

describe('the revocation feed', () => {
  test('is only for our services', async () => {
    expect((await fetch(`${service.origin}/internal/v1/revocations`)).status).toBe(401);
    const { tokens } = await signedIn('judy');
    const response = await fetch(`${service.origin}/internal/v1/revocations`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(response.status).toBe(401);
  });

  test('gives everything without a cursor, and again for a cursor of another database or of the future', async () => {
    const { person } = await signedIn('kim');
    await service.directory.change(tenant, person.id, 'user.deactivated');
    await eventually(async () => (await epochOf(person.id)) === 1);
    const page = async (after?: string) => {
      const query = after === undefined ? '' : `?after=${after}`;
      return (await service.internal('GET', `/revocations${query}`, undefined, 'gateway'))
        .body as unknown as {
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
    // A transaction that others on this server have open may make some entries come twice.
    expect(all.entries).toEqual(expect.arrayContaining((await page(all.cursor)).entries));
    expect((await page(all.cursor.replace(/^\d+/, '1'))).entries).toEqual(all.entries);
    expect((await page(`${all.cursor.split('.')[0]}.99999999999`)).entries).toEqual(all.entries);
    expect((await page('nonsense')).entries).toEqual(all.entries);
  });

  test('never skips what commits after a later entry', async () => {
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

  test('is pushed to every verifier and heard of again by heartbeat', async () => {
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

describe('passwords from provisioning', () => {
  test('work at once when activated, replace the one before, and never the one after', async () => {
    const person = service.directory.addPerson(tenant, 'mallory');
    const stage = async (text: string) => {
      const path = `/tenants/${tenant}/credentials`;
      const { status, body } = await service.internal(
        'POST',
        path,
        { subject: person.id, password: text },
        'provisioning',
      );
      expect(status).toBe(201);
      return body.ticket as string;
    };
    const activate = async (ticket: string, of = tenant) =>
      (
        await service.internal(
          'POST',
          `/tenants/${of}/credentials/${ticket}/activate`,
          undefined,
          'provisioning',
        )
      ).status;
    const works = async (text: string) =>
      (await signIn(service.browser(), client, 'mallory', { password: text })).status === 303;

    const first = await stage('first');
    expect(await works('first')).toBe(false);
    expect(await activate(first)).toBe(204);
    expect(await works('first')).toBe(true);
    const second = await stage('second');
    const third = await stage('third');
    expect(await Promise.all([activate(third), activate(second), activate(third)])).toEqual([204, 204, 204]);
    expect([await works('first'), await works('second'), await works('third')]).toEqual([false, false, true]);
    expect(await activate(first)).toBe(204);
    expect(await works('third')).toBe(true);

    expect(await activate(third, rival)).toBe(404);
    expect(await activate('nonsense')).toBe(404);
  });

  test("a ticket in a user's event is activated, but only for that user", async () => {
    const { person } = await signedIn('nina');
    const { person: other } = await signedIn('olga');
    const path = `/tenants/${tenant}/credentials`;
    const { body } = await service.internal(
      'POST',
      path,
      { subject: person.id, password: 'the new one' },
      'provisioning',
    );
    const wrong = numbered(
      service.directory.changed(tenant, other.id, 'user.updated', { ticket: body.ticket as string }),
    );
    await service.directory.send([wrong]);
    await eventually(() => isHandled([wrong]));
    expect((await signIn(service.browser(), client, 'nina', { password: 'the new one' })).status).toBe(401);
    const right = numbered(
      service.directory.changed(tenant, person.id, 'user.updated', { ticket: body.ticket as string }),
    );
    await service.directory.send([right]);
    await eventually(() => isHandled([right]));
    expect((await signIn(service.browser(), client, 'nina', { password: 'the new one' })).status).toBe(303);
    expect((await signIn(service.browser(), client, 'nina', { password })).status).toBe(401);
  });

  test('of an administrator are refused: provisioning people must not be a way to become one', async () => {
    const { person } = await signedIn('petra');
    const role = { subject: person.id, role: 'tenant_admin' };
    expect((await service.internal('POST', `/tenants/${tenant}/roles`, role, 'operator')).status).toBe(204);
    const stage = (as: 'provisioning' | 'operator', more = {}) =>
      service.internal(
        'POST',
        `/tenants/${tenant}/credentials`,
        { subject: person.id, password: 'mine now', ...more },
        as,
      );
    const refused = await stage('provisioning');
    expect([refused.status, refused.body.error]).toEqual([403, 'forbidden']);
    expect((await stage('provisioning', { administrators: 'true' })).status).toBe(403);
    expect((await stage('provisioning', { administrators: true })).status).toBe(201);
    expect((await stage('operator')).status).toBe(201);
  });

  test.each([
    ['a subject that is no id', { subject: 'x', password: 'y' }],
    ['no password', { subject: crypto.randomUUID() }],
    ['a password that is no text', { subject: crypto.randomUUID(), password: 7 }],
    ['an endless password', { subject: crypto.randomUUID(), password: 'x'.repeat(1_025) }],
    ['a list', []],
    ['a text', 'text'],
  ])('bad input is refused: %s', async (_name, body) => {
    expect(
      (await service.internal('POST', `/tenants/${tenant}/credentials`, body, 'provisioning')).status,
    ).toBe(400);
  });

  test('are staged only for tenants that exist, and by services that may', async () => {
    const body = { subject: crypto.randomUUID(), password: 'x' };
    expect(
      (await service.internal('POST', '/tenants/nowhere/credentials', body, 'provisioning')).status,
    ).toBe(404);
    expect((await service.internal('POST', `/tenants/${tenant}/credentials`, body, 'gateway')).status).toBe(
      403,
    );
    const missing = { ids: [crypto.randomUUID()] };
    expect((await service.internal('POST', '/events/missing', missing, 'directory')).body).toEqual({
      missing: missing.ids,
    });
    expect((await service.internal('POST', '/events/missing', { ids: ['x'] }, 'directory')).status).toBe(400);
  });
});
