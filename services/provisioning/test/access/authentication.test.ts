import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { oidcScopes, selfScopes } from '@ostiary/access';
import { uuidv7 } from '@ostiary/service';
import { publicOrigin } from '../support/authorization-server.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { anybodyMay, byTheTest, type RunningService, startService } from '../support/service.ts';

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

const list = (token?: string, tenant = 'demo') => service.scim('GET', '/Users', { token, tenant });
const userToken = (subject: string, scopes: string[] = []) =>
  service.authorization.token({ subject, client: 'web', scopes });

describe('without a token', () => {
  test('A request without a token gets 401 with a challenge, the same for every tenant, existing or not.', async () => {
    const answers = await Promise.all(
      ['demo', 'rival', 'no-such-tenant', 'platform'].map((t) => list(undefined, t)),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(answers[0]?.body);
      expect(answer.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
    }
    expect(answers[0]?.headers.get('www-authenticate')).toMatch(
      new RegExp(
        `^Bearer realm="${publicOrigin}/t/demo", ` +
          `resource_metadata="${publicOrigin}/.well-known/oauth-protected-resource/t/demo/scim/v2"(, DPoP .*)?$`,
      ),
    );
  });

  test('ServiceProviderConfig answers without a token, for every possible tenant.', async () => {
    const demo = await service.scim('GET', '/ServiceProviderConfig');
    const nobody = await service.scim('GET', '/ServiceProviderConfig', { tenant: 'no-such-tenant' });
    expect([demo.status, nobody.status]).toEqual([200, 200]);
    expect(JSON.stringify(nobody.body).replaceAll('no-such-tenant', 'demo')).toEqual(
      JSON.stringify(demo.body),
    );
    expect((await service.scim('GET', '/Schemas')).status).toBe(401);
  });

  test('An address with an impossible tenant id returns 404.', async () => {
    expect((await list(undefined, 'UPPER')).status).toBe(404);
    expect((await list(undefined, 'a_b')).status).toBe(404);
  });
});

describe('a token in the wrong place', () => {
  test('A token in the query is rejected with 400 invalid_request.', async () => {
    const { token } = await service.connector();
    const answer = await service.scim('GET', `/Users?access_token=${token}`);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_request"');
    expect(answer.body.status).toBe('400');
  });

  test('A token in two places is rejected with 400 invalid_request.', async () => {
    const { token } = await service.connector();
    const answer = await service.scim('GET', `/Users?access_token=${token}`, { token });
    expect(answer.status).toBe(400);
  });

  test('A token in a scheme other than Bearer counts as no token.', async () => {
    const answer = await service.scim('GET', '/Users', { headers: { authorization: 'Basic YTpi' } });
    expect(answer.status).toBe(401);
  });
});

describe('a connector token', () => {
  test('A connector token reads and writes in its tenant.', async () => {
    const { token } = await service.connector();
    expect((await list(token)).status).toBe(200);
    expect((await service.scim('DELETE', `/Users/${uuidv7()}`, { token })).status).toBe(204);
  });

  test('A connector token of another tenant is rejected with invalid_token.', async () => {
    const { token } = await service.connector({ tenant: 'rival' });
    const answer = await list(token, 'demo');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(JSON.stringify(answer.body)).not.toContain('rival');
    expect(directory.commands).toHaveLength(0);
    expect((await list(token, 'rival')).status).toBe(200);
  });

  test('A connector token that is mistyped, made up, revoked or expired gets the same invalid_token.', async () => {
    const { token, connector } = await service.connector();
    const mistyped = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    const reference = await list(mistyped);
    expect(reference.status).toBe(401);
    const rotated = await service.app.administration.rotateToken(
      byTheTest(),
      { id: connector.id },
      0,
      anybodyMay,
    );
    expect((await list(token)).body).toEqual(reference.body);
    expect((await list(rotated?.token)).status).toBe(200);
    await service.database.sql.query(
      `UPDATE provisioning.connector_tokens SET expires_at = now() - interval '1 second' WHERE connector_id = $1`,
      [connector.id],
    );
    expect((await list(rotated?.token)).body).toEqual(reference.body);
  });

  test('Two connector tokens work during a rotation, never three.', async () => {
    const { token: first, connector } = await service.connector();
    const second = (
      await service.app.administration.rotateToken(byTheTest(), { id: connector.id }, 3600, anybodyMay)
    )?.token;
    expect([(await list(first)).status, (await list(second)).status]).toEqual([200, 200]);
    const third = (
      await service.app.administration.rotateToken(byTheTest(), { id: connector.id }, 3600, anybodyMay)
    )?.token;
    expect([(await list(first)).status, (await list(second)).status, (await list(third)).status]).toEqual([
      401, 200, 200,
    ]);
  });

  test('A connector token is rejected while its connector is disabled or its tenant is suspended.', async () => {
    const { token, connector } = await service.connector();
    await service.app.administration.setStatus(byTheTest(), { id: connector.id }, 'disabled', anybodyMay);
    expect((await list(token)).status).toBe(401);
    await service.app.administration.setStatus(byTheTest(), { id: connector.id }, 'active', anybodyMay);
    expect((await list(token)).status).toBe(200);
    const suspended = (status: string) =>
      service.database.sql.query(
        `INSERT INTO provisioning.tenants (id, name, status, version) VALUES ('demo', 'Demo', $1, 1)
         ON CONFLICT (id) DO UPDATE SET status = excluded.status`,
        [status],
      );
    await suspended('suspended');
    expect((await list(token)).status).toBe(401);
    await suspended('active');
    expect((await list(token)).status).toBe(200);
  });

  test('A connector token is stored as a digest only, and its last use is recorded.', async () => {
    const { token, connector } = await service.connector();
    await list(token);
    await service.app.logWriter.flush();
    const { rows } = await service.database.sql.query<{ row: string; last_used_at: Date | null }>(
      'SELECT t::text AS row, last_used_at FROM provisioning.connector_tokens t WHERE connector_id = $1',
      [connector.id],
    );
    expect(rows[0]?.row).not.toContain(token);
    expect(rows[0]?.last_used_at).toBeInstanceOf(Date);
  });
});

describe("an OAuth client's token", () => {
  test('A client reads with scim:read and writes with scim:write, from the source "direct".', async () => {
    const reader = service.authorization.token({ subject: 'app', scopes: ['scim:read'] });
    const writer = service.authorization.token({ subject: 'app', scopes: ['scim:write'] });
    expect((await list(reader)).status).toBe(200);
    expect(directory.only().body.source).toBe('direct');
    const id = uuidv7();
    const refused = await service.scim('DELETE', `/Users/${id}`, { token: reader });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    expect(refused.headers.get('www-authenticate')).toContain('scope="scim:write"');
    expect((await list(writer)).status).toBe(403);
    expect((await service.scim('DELETE', `/Users/${id}`, { token: writer })).status).toBe(204);
    expect(directory.commands.at(-1)?.body).toMatchObject({
      actor: { kind: 'client', id: 'app' },
      clientId: 'app',
    });
  });

  test('A client acts as its connector, and is rejected when that connector is disabled.', async () => {
    const { connector } = await service.connector({ name: 'Linked', clientId: 'linked' });
    const token = service.authorization.token({ subject: 'linked', scopes: ['scim:read'] });
    expect((await list(token)).status).toBe(200);
    expect(directory.only().body.source).toBe(connector.id);
    await service.app.administration.setStatus(byTheTest(), { id: connector.id }, 'disabled', anybodyMay);
    expect((await list(token)).status).toBe(401);
  });

  test('A client token of another tenant, audience or service is rejected with invalid_token.', async () => {
    const scopes = ['scim:read'];
    const tokens = await Promise.all([
      service.authorization.token({ tenant: 'rival', subject: 'app', scopes }),
      service.authorization.token({ tenant: 'no-such-tenant', subject: 'app', scopes }),
      service.authorization.token({ subject: 'app', scopes, audience: 'https://elsewhere.example' }),
      service.authorization.serviceToken('directory', 'provisioning'),
      'not.a.token',
    ]);
    for (const token of tokens) {
      const answer = await list(token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
    expect(directory.commands).toHaveLength(0);
  });
});

describe('Tokens of users', () => {
  test('The token of a user reads /Me without any scope, and nothing else.', async () => {
    const id = uuidv7();
    const token = await userToken(id);
    const me = await service.scim('GET', '/Me', { token });
    expect(me.status).toBe(200);
    expect(me.body.id).toBe(id);
    expect(me.headers.get('location')).toBe(`${publicOrigin}/t/demo/scim/v2/Users/${id}`);
    const again = await service.scim('GET', '/Me', { token, headers: { 'if-none-match': 'W/"1"' } });
    expect(again.status).toBe(304);
    expect((await list(token)).status).toBe(403);
    expect((await service.scim('GET', `/Users/${id}`, { token })).status).toBe(403);
    expect((await service.scim('DELETE', '/Me', { token })).status).toBe(403);
  });

  test('The token of a user changes /Me only with the scope by which the user permits the client to do so.', async () => {
    const id = uuidv7();
    const body = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'displayName', value: 'Ada' }],
    };
    const others = Object.keys({ ...oidcScopes, ...selfScopes }).filter((scope) => scope !== 'self:profile');
    for (const method of ['PATCH', 'PUT'] as const) {
      const refused = await service.scim(method, '/Me', { token: await userToken(id, others), body });
      expect(refused.status).toBe(403);
    }
    const allowed = await service.scim('PATCH', '/Me', {
      token: await userToken(id, ['self:profile']),
      body,
    });
    expect(allowed.status).toBe(200);
    const elsewhere = await service.scim('PATCH', `/Users/${id}`, {
      token: await userToken(id, ['self:profile']),
      body,
    });
    expect(elsewhere.status).toBe(403);
  });

  test('Tokens of other callers represent no User.', async () => {
    const { token } = await service.connector();
    expect((await service.scim('GET', '/Me', { token })).status).toBe(404);
    expect((await service.scim('GET', '/Me')).status).toBe(401);
  });
});

describe('the provisioning log', () => {
  test('The provisioning log has each authenticated request with its outcome, and no secret.', async () => {
    const { token, connector } = await service.connector({ name: 'Logged' });
    const body = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'logged',
      password: 'correct horse',
    };
    const created = await service.scim('POST', '/Users', { token, body });
    directory.answers.push({
      status: 409,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '409',
        scimType: 'uniqueness',
        detail: 'userName is taken.',
      },
    });
    const refused = await service.scim('POST', '/Users', { token, body });
    await list('nobody');
    await service.app.logWriter.flush();
    const { rows } = await service.database.sql.query<Record<string, unknown>>(
      'SELECT l.*, l::text AS whole FROM provisioning.provisioning_log l WHERE source = $1 ORDER BY id',
      [connector.id],
    );
    expect(rows).toMatchObject([
      {
        tenant: 'demo',
        actor_kind: 'connector',
        actor_id: connector.id,
        method: 'POST',
        resource_type: 'User',
        resource_id: created.body.id,
        status: 201,
        scim_type: null,
        detail: null,
        request_id: created.headers.get('x-request-id'),
      },
      {
        resource_id: null,
        status: 409,
        scim_type: 'uniqueness',
        detail: 'userName is taken.',
        request_id: refused.headers.get('x-request-id'),
      },
    ]);
    for (const row of rows) {
      expect(row.whole).not.toContain('correct horse');
      expect(row.whole).not.toContain(token);
    }
  });
});
