import { METHODS, request } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { upsertTenant } from '../../src/events/data/tenants.ts';
import { type Source, startWithDirectory, type WithDirectory } from '../support/real-directory.ts';

// Requests that only typed clients send (UnboundID's SDK, scim2-client, libraries that compress).

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let running: WithDirectory;
let source: Source;
let serial = 0;

beforeAll(async () => {
  running = await startWithDirectory();
  source = await running.source('rfc');
});
afterAll(() => running?.close());

const person = (more: object = {}) => ({ schemas: [userSchema], userName: `typed${++serial}`, ...more });

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  body: any;
}

/** Sends a request unchanged: the client normalises neither path nor method. */
const raw = (
  method: string,
  path: string,
  o: { headers?: Record<string, string>; body?: Buffer | string; tenant?: string; anonymous?: true } = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(running.service.url);
    const call = request(
      {
        hostname,
        port,
        method,
        path: `/t/${o.tenant ?? 'demo'}/scim/v2${path}`,
        headers: {
          ...(o.anonymous ? {} : { authorization: `Bearer ${source.token}` }),
          ...o.headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const body = text === '' ? undefined : JSON.parse(text);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      },
    );
    call.on('error', reject);
    call.end(o.body);
  });

const json = { 'content-type': 'application/scim+json' };

describe('slashes', () => {
  test.each([
    '/Users',
    '/Users/',
    '//Users',
    '//Users//',
    '',
    '/',
    '/Groups/',
    '/Schemas/',
    '/ResourceTypes/',
    '/ServiceProviderConfig/',
  ])('GET %s works with and without a query.', async (path) => {
    expect((await raw('GET', path)).status).toBe(200);
    if (/^\/+(?:Users|Groups)/.test(path) || path.length < 2) {
      const found = await raw('GET', `${path}?filter=${encodeURIComponent('displayName eq "nobody"')}`);
      expect([found.status, found.body.totalResults]).toEqual([200, 0]);
    }
  });

  test('POST, PATCH, PUT and DELETE with a trailing slash have the same effect as without.', async () => {
    const made = await raw('POST', '/Users/', { headers: json, body: JSON.stringify(person()) });
    expect(made.status).toBe(201);
    expect(made.body.meta.location).toMatch(/\/t\/demo\/scim\/v2\/Users\/[0-9a-f-]{36}$/);
    const at = `//Users/${made.body.id}/`;
    const title = { schemas: [patchSchema], Operations: [{ op: 'add', path: 'title', value: 'x' }] };
    expect((await raw('PATCH', at, { headers: json, body: JSON.stringify(title) })).status).toBe(200);
    expect((await raw('PUT', at, { headers: json, body: JSON.stringify(person()) })).status).toBe(200);
    expect((await raw('DELETE', at)).status).toBe(204);
    expect((await raw('GET', at)).status).toBe(404);
  });

  test('A resource of another tenant is not found by additional slashes.', async () => {
    const made = await raw('POST', '/Users', { headers: json, body: JSON.stringify(person()) });
    for (const path of [`/Users/${made.body.id}`, `//Users/${made.body.id}/`]) {
      expect((await raw('GET', path, { tenant: 'rival' })).status).toBe(401);
    }
  });
});

describe('Unsupported methods', () => {
  const addresses: Record<string, string> = {
    '/Users': 'GET, HEAD, POST',
    [`/Users/${crypto.randomUUID()}`]: 'DELETE, GET, HEAD, PATCH, PUT',
    '/Bulk': 'POST',
    '/ServiceProviderConfig': 'GET, HEAD',
    '/.search': 'POST',
    '/Me': '',
  };

  test.each(Object.keys(addresses))(
    'The address %s answers each unsupported method with 405 and Allow.',
    async (address) => {
      for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
        const answer = await raw(method, address, { anonymous: true });
        if (answer.status !== 405) continue;
        const allow = String(answer.headers.allow);
        expect(allow).not.toContain(` ${method},`);
        if (addresses[address]) expect(allow).toBe(addresses[address]);
      }
      for (const method of ['OPTIONS', 'PROPFIND', 'TRACE', 'LOCK', 'REPORT']) {
        const { status, headers } = await raw(method, address);
        expect([method, status, headers.allow !== undefined]).toEqual([method, 405, true]);
      }
    },
  );
});

describe('content codings', () => {
  const post = (body: Buffer, coding: string, more: Record<string, string> = {}) =>
    raw('POST', '/Users', { headers: { ...json, 'content-encoding': coding, ...more }, body });

  test.each(['gzip', 'x-gzip', 'GZIP'])('A body compressed as %s is read.', async (coding) => {
    const body = person({ displayName: 'Zoë' });
    const made = await post(gzipSync(JSON.stringify(body)), coding);
    expect([made.status, made.body.displayName]).toEqual([201, 'Zoë']);
  });

  test('The content coding identity is accepted as no coding.', async () => {
    expect((await post(Buffer.from(JSON.stringify(person())), 'identity')).status).toBe(201);
  });

  test.each(['deflate', 'br', 'gzip, gzip', 'nothing'])(
    'The content coding %s is rejected with 415 and a list of the supported codings.',
    async (coding) => {
      const answer = await post(deflateSync(JSON.stringify(person())), coding);
      expect([answer.status, answer.headers['accept-encoding']]).toEqual([415, 'gzip, identity']);
    },
  );

  test('A body that inflates beyond the size limit is rejected with 413, for any compressed size.', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    expect(bomb.length).toBeLessThan(60_000);
    const begun = process.memoryUsage().rss;
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(bomb, 'gzip')));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(413));
    expect(process.memoryUsage().rss - begun).toBeLessThan(150_000_000);
  });

  test('A body that is not gzip, or ends too soon, is rejected with 400.', async () => {
    const whole = gzipSync(JSON.stringify(person()));
    for (const body of [Buffer.from('not gzip'), whole.subarray(0, -8), whole.subarray(0, 12)]) {
      expect(await post(body, 'gzip')).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } });
    }
    expect((await raw('GET', '/Users?count=0')).status).toBe(200);
  });
});

describe('parameters of media types', () => {
  test.each([
    ['application/scim+json;charset=utf-8', 201],
    ['application/scim+json; charset="UTF-8"', 201],
    ["application/scim+json; charset='utf8'", 201],
    ['application/scim+json; charset=us-ascii', 201],
    ['application/scim+json; profile="x"; charset=utf-8', 201],
    ['application/json;charset=utf-8', 201],
    ['application/scim+json; charset=iso-8859-1', 415],
    ['text/plain', 415],
  ])('Content-Type %s is answered with %d.', async (type, status) => {
    const accept = 'application/scim+json;charset=utf-8, application/json; q=0.5';
    const headers = { 'content-type': type, accept };
    const answer = await raw('POST', '/Users', { headers, body: JSON.stringify(person()) });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/scim+json; charset=utf-8');
  });
});

describe('Security events (RFC 9967 §4)', () => {
  const announced = async (tenant: string) =>
    (await raw('GET', '/ServiceProviderConfig', { tenant, anonymous: true })).body.securityEvents;
  const set = (id: string, version: number, settings: object) =>
    upsertTenant(running.service.database.sql, {
      id,
      name: id,
      status: 'active',
      version,
      policy: { version, settings },
    });

  test('Security events are announced only in a tenant that enables them.', async () => {
    expect(await announced('demo')).toBeUndefined();
    await set('demo', 1_000, { scimSecurityEvents: true });
    const event = 'urn:ietf:params:scim:event:prov';
    expect(await announced('demo')).toEqual({
      asyncRequest: 'none',
      eventUris: [
        `${event}:create:notice`,
        `${event}:patch:notice`,
        `${event}:delete`,
        `${event}:activate`,
        `${event}:deactivate`,
      ],
    });
    expect(await announced('rival')).toBeUndefined();
    expect(await announced('no-such-tenant')).toBeUndefined();
    await set('demo', 1_001, { scimSecurityEvents: false });
    expect(await announced('demo')).toBeUndefined();
  });
});

describe('Keys that name a part of a missing element', () => {
  const value = {
    displayName: 'Ada',
    'emails[type eq "work"].value': 'ada@example.com',
    'phoneNumbers[type eq "mobile"].value': '+43 1 234567',
  };

  test.each(['auto', 'entra', 'okta', 'onelogin'] as const)(
    'For %s, such a key creates the element, as a path with add does.',
    async (profile) => {
      const client = await running.source(profile);
      const [byKey, byPath] = await Promise.all(
        [person(), person()].map(async (body) => (await client.call('POST', '/Users', { body })).body.id),
      );
      const patch = (id: string, Operations: object[]) =>
        client.call('PATCH', `/Users/${id}`, { body: { schemas: [patchSchema], Operations } });
      expect((await patch(byKey, [{ op: 'replace', value }])).status).toBe(200);
      const { displayName, ...parts } = value;
      await patch(byPath, [
        { op: 'replace', path: 'displayName', value: displayName },
        ...Object.entries(parts).map(([path, part]) => ({ op: 'add', path, value: part })),
      ]);
      const [one, other] = await Promise.all(
        [byKey, byPath].map(async (id) => (await client.call('GET', `/Users/${id}`)).body),
      );
      const shown = ({ displayName, emails, phoneNumbers }: Record<string, unknown>) => ({
        displayName,
        emails,
        phoneNumbers,
      });
      expect(shown(one)).toEqual(shown(other));
      expect(one.emails).toEqual([{ type: 'work', value: 'ada@example.com' }]);
      // Again, with an existing element.
      expect(
        (
          await patch(byKey, [
            { op: 'replace', value: { ...value, 'emails[type eq "work"].value': 'a@b.example' } },
          ])
        ).status,
      ).toBe(200);
      expect((await client.call('GET', `/Users/${byKey}`)).body.emails).toEqual([
        { type: 'work', value: 'a@b.example' },
      ]);
    },
  );
});
