/**
 * The tables of the service's specification, row by row: each test is named after its row. The rows about SCIM resources are
 * tested with the provisioning service and in e2e/.
 */
import { describe, expect, test } from '@jest/globals';
import { issueCode } from '../support/running-auth.ts';
import { auth, codeTokens, setUpSpecClients, token, web } from '../support/spec-clients.ts';

setUpSpecClients();

describe('Errors: protected resource, and presenting a token', () => {
  const userinfo = (headers: Record<string, string>, query = '') =>
    fetch(`${auth.origin}/t/demo/userinfo${query}`, { headers });
  const challengeOf = (response: Response) => response.headers.get('www-authenticate');

  test('Authorization: Bearer header | works', async () => {
    const { access_token } = await codeTokens();
    expect((await userinfo({ authorization: `Bearer ${access_token}` })).status).toBe(200);
  });

  test('access_token in a form-encoded body | only where headers cannot be set', async () => {
    const { access_token } = await codeTokens();
    expect((await auth.post('/t/demo/userinfo', { access_token: String(access_token) })).status).toBe(200);
  });

  test('access_token in the URL query string | prohibited', async () => {
    const { access_token } = await codeTokens();
    const response = await userinfo({}, `?access_token=${access_token}`);
    expect([response.status, challengeOf(response)]).toEqual([
      400,
      expect.stringContaining('invalid_request'),
    ]);
  });

  test('invalid_request | 400 | token sent in two places', async () => {
    const { access_token } = await codeTokens();
    const answer = await auth.post(
      '/t/demo/userinfo',
      { access_token: String(access_token) },
      { headers: { authorization: `Bearer ${access_token}` } },
    );
    expect(answer.status).toBe(400);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_request"/);
  });

  test('invalid_token | 401 | expired, revoked or invalid', async () => {
    const { access_token } = await codeTokens();
    await auth.post('/t/demo/revoke', { token: String(access_token), client_id: web });
    for (const bad of [access_token, 'nonsense', String(access_token).slice(0, -3)]) {
      const response = await userinfo({ authorization: `Bearer ${bad}` });
      expect(response.status).toBe(401);
      expect(challengeOf(response)).toMatch(
        /^Bearer realm="[^"]+", error="invalid_token", error_description="[^"]+"/,
      );
    }
  });

  test('insufficient_scope | 403 | valid token, insufficient scope', async () => {
    const { form } = await issueCode(auth, web, { scopes: ['profile'] });
    const { access_token } = (await token(form)).body;
    const response = await userinfo({ authorization: `Bearer ${access_token}` });
    expect(response.status).toBe(403);
    expect(challengeOf(response)).toContain('error="insufficient_scope"');
  });
});
