import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { apiScopes, oidcScopes, selfScopes } from '@ostiary/access';
import { BULK_REQUEST, PATCH_OP, USER_SCHEMA } from '@ostiary/scim';
import { uuidv7 } from '@ostiary/service';
import { routeConferrals } from '../../src/access/http/conferring.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { managingConnectors, type RunningService, startService } from '../support/service.ts';

const id = uuidv7();
const base = '/t/:tenant/scim/v2';
const everything = Object.keys(apiScopes);
const routes = Object.entries(routeConferrals).flatMap(([name, conferral]) => {
  const [method = '', url = ''] = name.split(' ');
  return url.startsWith(base)
    ? [{ name, method, path: url.slice(base.length).replace(':id', id), ...conferral }]
    : [];
});

let directory: RecordingDirectory;
let service: RunningService;
beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});
beforeEach(() => directory.clear());

interface Person {
  scopes: readonly string[];
  acr?: string;
  tenant?: string;
}
const person = ({ scopes, acr = 'urn:ostiary:acr:1fa', tenant = 'demo' }: Person) =>
  service.authorization.token({
    tenant,
    subject: id,
    client: 'web',
    scopes,
    acr,
    authTime: Math.floor(Date.now() / 1000) - 5,
  });
/** Sends a route a body that has no effect. */
const ask = ({ method, path }: { method: string; path: string }, token: string, tenant = 'demo') =>
  service.scim(method, path, { token, tenant, ...(method === 'DELETE' ? {} : { body: {} }) });

describe('Self-service with a token', () => {
  const everyday = Object.keys(oidcScopes);
  /** Reports whether a route is open; one with the same response for all callers changes nothing. */
  const opens = async (route: (typeof routes)[number], scopes: readonly string[]): Promise<boolean> =>
    ![401, 403, 501].includes((await ask(route, person({ scopes }))).status);

  test.each(routes)(
    '$name changes nothing in self-service without a scope that permits it.',
    async (route) => {
      expect(await opens(route, everyday)).toBe(false);
      expect(directory.commands).toEqual([]);
    },
  );

  test('Each self-service scope permits the changes that it names and nothing else.', async () => {
    const opened: string[] = [];
    for (const scope of Object.keys(selfScopes))
      for (const route of routes)
        if (await opens(route, [...everyday, scope])) opened.push(`${scope} ${route.name}`);
    expect(opened.sort()).toEqual([`self:profile PATCH ${base}/Me`, `self:profile PUT ${base}/Me`]);
  });
});

describe('Passwords set by users over SCIM', () => {
  const secret = 'correct horse battery staple';
  const patch = {
    op: 'replace',
    value: { 'urn:ietf:params:scim:schemas:core:2.0:User': { password: secret } },
  };
  const bodies: Record<string, object> = {
    POST: { schemas: [USER_SCHEMA], userName: 'bob', password: secret },
    PUT: { schemas: [USER_SCHEMA], userName: 'bob', password: secret },
    PATCH: { schemas: [PATCH_OP], Operations: [patch] },
  };
  /** `/Me` is excluded: a token does not change the user's own password. */
  const setting = routes.filter(({ confers, path }) => confers.includes('a password') && path !== '/Me');
  /** The requests of these routes, alone and in a Bulk. */
  const ways = setting.flatMap(({ name, method, path }) => [
    { name, method, path, body: bodies[method] },
    {
      name: `${name} in a Bulk`,
      method: 'POST',
      path: '/Bulk',
      body: { schemas: [BULK_REQUEST], Operations: [{ method, path, bulkId: 'b', data: bodies[method] }] },
    },
  ]);
  const by = (who: object) =>
    service.authorization.token({ subject: uuidv7(), client: 'web', scopes: everything, ...who });
  const outcome = async ({ method, path, body }: (typeof ways)[number], token: string) => {
    const before = service.authorization.staged.length;
    const { status, headers, body: answer } = await service.scim(method, path, { token, body });
    return {
      status: path === '/Bulk' ? Number(answer.Operations[0].status) : status,
      challenge: headers.get('www-authenticate'),
      set: service.authorization.staged.length - before,
    };
  };
  const now = Math.floor(Date.now() / 1000);

  test('There are six ways to set the password of a user over SCIM.', () => {
    expect(ways).toHaveLength(6);
  });

  test.each(ways)('$name requires a recent sign-in to set the password of any user.', async (way) => {
    // A script, a user who signed in an hour ago, a client that acts for the user.
    const stale = [{}, { authTime: now - 3600 }, { authTime: now - 3600, acr: 'phr' }];
    for (const who of stale) {
      const refused = await outcome(way, by(who));
      expect(refused).toMatchObject({ status: 401, set: 0 });
      if (way.path !== '/Bulk')
        expect(refused.challenge).toMatch(/error="insufficient_user_authentication".*max_age="?900/);
    }
    expect(directory.commands.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(await outcome(way, by({ authTime: now - 5 }))).toMatchObject({ set: 1 });
    const { token: source } = await service.connector();
    for (const program of [source, service.authorization.token({ subject: 'app', scopes: everything })])
      expect(await outcome(way, program)).toMatchObject({ set: 1 });
  });
});

describe('Required second factor of administrators', () => {
  const giving = routes.filter(({ confers }) => confers !== 'nothing');
  const writing = ['openid', 'scim:write', 'scim:read'];
  const challenge = 'acr_values="urn:ostiary:acr:2fa phr"';
  const refused = {
    status: 401,
    challenge: expect.stringMatching(`error="insufficient_user_authentication".*${challenge}`),
  };
  beforeAll(() =>
    service.database.sql.query(
      `INSERT INTO provisioning.tenants (id, name, status, version, policy, policy_version)
       VALUES ('demo', 'Demo', 'active', 1, '{"requireSecondFactorForAdministrators": true}', 1)`,
    ),
  );
  afterAll(() => service.database.sql.query(`DELETE FROM provisioning.tenants WHERE id = 'demo'`));

  const outcome = async (route: (typeof routes)[number], token: string, tenant?: string) => {
    const { status, headers } = await ask(route, token, tenant);
    return { status, challenge: headers.get('www-authenticate') };
  };

  test('The SCIM routes that can grant access are exactly the listed ones.', () => {
    expect(giving.map(({ method, path }) => `${method} ${path.replace(id, ':id')}`).sort()).toEqual([
      'PATCH /Groups/:id',
      'PATCH /Me',
      'PATCH /Users/:id',
      'POST /Bulk',
      'POST /Groups',
      'POST /Users',
      'PUT /Groups/:id',
      'PUT /Me',
      'PUT /Users/:id',
    ]);
  });

  test.each(giving)(
    '$name is rejected for an administrator who signed in with one factor.',
    async (route) => {
      expect(await outcome(route, person({ scopes: writing }))).toEqual(refused);
      expect(directory.commands).toEqual([]);
      const strong = await outcome(route, person({ scopes: writing, acr: 'phr' }));
      expect(strong.status).not.toBe(401);
      const rival = await outcome(route, person({ scopes: writing, tenant: 'rival' }), 'rival');
      expect(rival.status).not.toBe(401);
    },
  );

  test.each(giving)(
    '$name requires two factors of an administrator whose role gave no scope for lack of them.',
    async (route) => {
      expect(await outcome(route, person({ scopes: ['openid'] }))).toEqual(refused);
      const strong = await outcome(route, person({ scopes: ['openid'], acr: 'phr' }));
      expect(strong).toEqual({ status: 403, challenge: expect.stringContaining('insufficient_scope') });
    },
  );

  test('The demand for two factors applies neither to clients and connectors nor to self-service.', async () => {
    const app = service.authorization.token({ subject: 'app', scopes: writing });
    const { token: source } = await service.connector();
    for (const token of [app, source])
      for (const route of giving) {
        if (route.path === '/Me') continue;
        expect([route.name, (await ask(route, token)).status]).not.toEqual([route.name, 401]);
      }
    const own = { method: 'PATCH', path: '/Me' };
    expect((await ask(own, person({ scopes: ['openid', 'self:profile'] }))).status).not.toBe(401);
  });

  test('The graph returns a connector token only to an administrator who signed in with two factors.', async () => {
    service.authorization.ownership.owner({ id });
    const { connector } = await service.connector({ name: 'HR' });
    const rotate = async (scopes: readonly string[], acr: string) => {
      const { body } = await service.graph(
        `mutation { rotateConnectorToken(input: { id: "${connector.id}" }) { connector { id } } }`,
        { token: person({ scopes, acr }) },
      );
      return body.errors?.[0].extensions ?? 'done';
    };
    const insufficient = {
      code: 'INSUFFICIENT_USER_AUTHENTICATION',
      acrValues: ['urn:ostiary:acr:2fa', 'phr'],
      maxAge: 900,
    };
    expect(await rotate(managingConnectors, 'urn:ostiary:acr:1fa')).toEqual(insufficient);
    expect(await rotate(['openid'], 'urn:ostiary:acr:1fa')).toEqual(insufficient);
    expect(await rotate(managingConnectors, 'urn:ostiary:acr:2fa')).toBe('done');
  });
});
