import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type KeyFamilyName, keyFamilyOf, keyStem, redisKeys, type SealedPurpose } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import type { Browser } from '../../support/sign-in/browser.ts';
import { hiddenFields } from '../../support/sign-in/browser.ts';
import {
  authorizeUrl,
  callback,
  password,
  redeem,
  rival,
  signIn,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
} from '../../support/sign-in/service.ts';

/**
 * An attacker with an own account reads and writes everything in Redis. Over HTTP, the attacker gets no token or
 * session of another user, and nothing that was revoked becomes valid again.
 */

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
type App = Awaited<ReturnType<TestService['client']>>;
interface Person {
  userName: string;
  id: string;
  of: string;
  app: App;
}

let service: TestService;
let admin: Person;
let attacker: Person;
let neighbour: Person;

beforeAll(async () => {
  service = await startTestService();
  const join = async (userName: string, of: string): Promise<Person> => ({
    userName,
    of,
    id: (await service.person(userName, { tenant: of })).id,
    app: await service.client(
      { grant_types: ['authorization_code', 'refresh_token', deviceGrant], scope: 'openid profile' },
      of,
    ),
  });
  admin = await join('root', tenant);
  attacker = await join('mallory', tenant);
  neighbour = await join('nora', rival);
  // One app for both, so that only the user differs.
  attacker = { ...attacker, app: admin.app };
});
afterAll(() => service.stop());

const redis = () => service.deps.redis;
const errors = () => service.logs.filter((line) => /"level":"?(50|error)/.test(line)).length;
const prefix = () => service.deps.env.REDIS_PREFIX;

async function allKeys(): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = '0'; ; ) {
    const [next, keys] = await redis().scan(cursor, 'MATCH', `*${prefix()}*`, 'COUNT', 500);
    found.push(...keys);
    cursor = next;
    if (cursor === '0') return found;
  }
}

/**
 * A started flow: its keys in Redis, and the function that finishes it and returns the user of the result, if any.
 */
interface Begun {
  kept: Map<string, Buffer>;
  finish: () => Promise<string | undefined>;
}

/** Starts a flow; `kept` are the keys of the family that it created. */
async function watched(family: KeyFamilyName, begin: () => Promise<Begun['finish']>): Promise<Begun> {
  const keys = async () => (await allKeys()).filter((key) => key.startsWith(keyStem(prefix(), family)));
  const before = new Set(await keys());
  const finish = await begin();
  const kept = new Map<string, Buffer>();
  for (const key of await keys()) {
    const dump = before.has(key) ? null : await redis().dumpBuffer(key);
    if (dump !== null) kept.set(key, dump);
  }
  expect(kept.size).toBeGreaterThan(0);
  return { kept, finish };
}

/** Returns the user of a token; undefined for an invalid one. */
async function userOf(of: string, accessToken: string | undefined): Promise<string | undefined> {
  if (accessToken === undefined) return undefined;
  const response = await fetch(`${service.origin}/t/${of}/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return response.status === 200 ? ((await response.json()) as { sub: string }).sub : undefined;
}

const post = async (of: string, endpoint: string, form: Record<string, string>) => {
  const body = new URLSearchParams(form);
  const response = await fetch(`${service.origin}/t/${of}/${endpoint}`, { method: 'POST', body });
  return (await response.json()) as Record<string, string>;
};

/** Returns the user of the code at the end of an authorization request. */
async function userOfCode({ of, app }: Person, location: string | undefined): Promise<string | undefined> {
  if (!location?.startsWith(callback)) return undefined;
  const { body } = await redeem(service, app, new URL(location));
  return userOf(of, body.access_token);
}

async function signedInBrowser(person: Person): Promise<Browser> {
  const browser = service.browser();
  const { userName, app } = person;
  await signInAndAllow(browser, app, userName);
  return browser;
}

async function beginDevice(person: Person) {
  const { of, app } = person;
  const codes = await post(of, 'device_authorization', { client_id: app.clientId, scope: 'openid profile' });
  const browser = await signedInBrowser(person);
  return {
    async approve(): Promise<void> {
      const page = await browser.get(`/t/${of}/device`);
      const question = await browser.follow(await browser.submit(page, { user_code: codes.user_code ?? '' }));
      if (question.text.includes('value="allow"')) await browser.submit(question, { action: 'allow' });
    },
    async poll(): Promise<string | undefined> {
      const form = { grant_type: deviceGrant, device_code: codes.device_code ?? '' };
      return userOf(of, (await token(service, app, form)).body.access_token);
    },
  };
}

/** Each kind of sealed value, from its creation to its use. */
const kinds: Record<Exclude<SealedPurpose, 'known_network'>, (person: Person) => Promise<Begun>> = {
  authorization_code: (person) =>
    watched('authorization_code', async () => {
      const browser = service.browser();
      const end = await signInAndAllow(browser, person.app, person.userName);
      return () => userOfCode(person, end.href);
    }),
  device_code: (person) =>
    watched('device_code', async () => {
      const device = await beginDevice(person);
      await device.approve();
      return device.poll;
    }),
  user_code: (person) =>
    watched('user_code', async () => {
      const device = await beginDevice(person);
      return async () => {
        await device.approve();
        return device.poll();
      };
    }),
  pushed_request: async (person) => {
    const browser = await signedInBrowser(person);
    return watched('pushed_request', async () => {
      const { of, app } = person;
      const query = new URL(authorizeUrl(app), service.origin).searchParams;
      const { request_uri = '' } = await post(of, 'par', Object.fromEntries(query));
      return async () => {
        const asked = new URLSearchParams({ client_id: app.clientId, request_uri });
        const answer = await browser.follow(await browser.get(`/t/${of}/authorize?${asked}`));
        const end = answer.text.includes('value="allow"')
          ? await browser.submit(answer, { action: 'allow' })
          : answer;
        return userOfCode(person, end.location);
      };
    });
  },
  interaction: (person) =>
    watched('interaction', async () => {
      const browser = service.browser();
      const consent = await signIn(browser, person.app, person.userName, { fields: { prompt: 'consent' } });
      expect(consent.text).toContain('value="allow"');
      return async () => userOfCode(person, (await browser.submit(consent, { action: 'allow' })).location);
    }),
  shown_once: async (person) => {
    const browser = await signedInBrowser(person);
    return watched('shown_once', async () => {
      const path = `/t/${person.of}/account/tokens`;
      const { csrf = '' } = hiddenFields(await browser.get(path));
      const made = await browser.post(path, { csrf, name: 'mine', scope: 'openid', days: '7' });
      const { pathname, search } = new URL(made.location ?? '', service.origin);
      return async () => {
        const page = await browser.get(pathname + search);
        return userOf(person.of, /ost_[a-z]+_[A-Za-z0-9]+/.exec(page.text)?.[0]);
      };
    });
  },
};
const names = Object.keys(kinds) as (keyof typeof kinds)[];

/** Replaces the value of a key. */
const restore = (key: string, dump: Buffer) => redis().restore(key, 60_000, dump, 'REPLACE');

/** Changes one character of each sealed part. */
async function edit(key: string): Promise<void> {
  const changed = (text: string) => text.slice(0, -3) + (text.at(-3) === 'A' ? 'B' : 'A') + text.slice(-2);
  if ((await redis().type(key)) === 'string') {
    await redis().set(key, changed((await redis().get(key)) ?? ''), 'KEEPTTL');
    return;
  }
  for (const [field, value] of Object.entries(await redis().hgetall(key))) {
    if (value.length > 40) await redis().hset(key, field, changed(value));
  }
}

/** Replaces the values of one flow by those of another. */
const replace = async (own: Begun, by: Begun): Promise<void> => {
  const others = [...by.kept.values()];
  let index = 0;
  for (const key of own.kept.keys()) {
    const dump = others[index % others.length];
    index += 1;
    if (dump) await restore(key, dump);
  }
};

describe.each(names)('%s', (name) => {
  const begin = kinds[name];

  test('An unmodified sealed value completes its flow, with the rights of its own user.', async () => {
    expect(await (await begin(attacker)).finish()).toBe(attacker.id);
    expect(await (await begin(neighbour)).finish()).toBe(neighbour.id);
  });

  test('A sealed value that is edited or deleted gives no access.', async () => {
    const edited = await begin(attacker);
    for (const key of edited.kept.keys()) await edit(key);
    expect(await edited.finish()).toBeUndefined();
    const deleted = await begin(attacker);
    await redis().del([...deleted.kept.keys()]);
    expect(await deleted.finish()).toBeUndefined();
    for (const type of ['list', 'table'] as const) {
      const spoilt = await begin(attacker);
      for (const key of spoilt.kept.keys()) {
        await redis().del(key);
        if (type === 'list') await redis().rpush(key, 'x');
        else
          await redis().hset(key, { client: 'x', state: 'pending', expires: 'x', interval: 'x', next: 'x' });
      }
      const failures = errors();
      expect(await spoilt.finish()).toBeUndefined();
      // The service reports no outage: a new flow succeeds.
      expect(errors()).toBe(failures);
    }
  });

  test('A value replaced by one of an administrator or another tenant gives no access, and the original still works.', async () => {
    for (const victim of [admin, neighbour]) {
      const [own, others] = [await begin(attacker), await begin(victim)];
      await replace(own, others);
      expect(await own.finish()).toBeUndefined();
      expect(await others.finish()).toBe(victim.id);
    }
  });

  test('A value replaced by one of any other purpose gives no access.', async () => {
    for (const other of names.filter((each) => each !== name)) {
      const [own, others] = [await begin(attacker), await kinds[other](admin)];
      await replace(own, others);
      expect(await own.finish().catch(() => undefined)).toBeUndefined();
    }
  });

  test('A value that is restored after the access of its user was revoked gives no access.', async () => {
    const [unused, used] = [await begin(admin), await begin(admin)];
    expect(await used.finish()).toBe(admin.id);
    await endEverything(admin);
    for (const { kept, finish } of [unused, used]) {
      for (const [key, dump] of kept) await restore(key, dump);
      expect(await finish()).toBeUndefined();
    }
  });
});

/** Revokes every session, grant and token of a user, as an administrator does. */
async function endEverything({ of, id }: Person): Promise<void> {
  const { database, sessions } = service.deps;
  const { rows } = await database.sql.query<{ id: string }>(
    'SELECT id FROM auth.sessions WHERE tenant = $1 AND subject_id = $2 AND revoked_at IS NULL',
    [of, id],
  );
  for (const session of rows) await sessions.revoke(of, session.id);
}

test('Every kind of sealed value and every Redis key is covered by these tests.', async () => {
  const sealed = Object.entries(redisKeys).filter(([, { trust }]) => trust === 'sealed');
  // A known network does not give access: `redis-contents.test.ts`.
  expect(sealed.map(([family]) => family).toSorted()).toEqual([...names, 'known_network'].toSorted());
  for (const name of names) await kinds[name](attacker);
  await eventually(async () => {
    const families = new Set((await allKeys()).map((key) => keyFamilyOf(prefix(), key)));
    expect(families).not.toContain(undefined);
    return sealed.every(([family]) => families.has(family as KeyFamilyName));
  });
});

test('A pushed request that is restored after its use yields no second code.', async () => {
  const own = await kinds.pushed_request(attacker);
  expect(await own.finish()).toBe(attacker.id);
  for (let again = 0; again < 3; again += 1) {
    for (const [key, dump] of own.kept) await restore(key, dump);
    expect(await own.finish()).toBeUndefined();
  }
});

test('A forged interaction signs no user in, and the page still asks for the password.', async () => {
  const browser = service.browser();
  const page = await browser.follow(await browser.get(authorizeUrl(attacker.app)));
  const keys = (await allKeys()).filter((key) => keyFamilyOf(prefix(), key) === 'interaction');
  const genuine = await kinds.interaction(admin);
  const [dump] = genuine.kept.values();
  for (const key of keys) if (dump) await restore(key, dump);
  const sent = await browser.follow(
    await browser.submit(page, { username: 'root', password: `not ${password}` }),
  );
  expect(sent.location).toBeUndefined();
});
