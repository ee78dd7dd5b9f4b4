/**
 * Tables of the service's specification: each test is named after its row. The provisioning service and e2e/ test the
 * rows about SCIM resources.
 */
import { describe, expect, test } from '@jest/globals';
import { issueCode } from '../support/running-auth.ts';
import { auth, codeTokens, setUpSpecClients, token, web } from '../support/spec-clients.ts';

setUpSpecClients();

describe('Errors: protected resource, and presenting a token', () => {
  const userinfo = (headers: Record<string, string>, query = '') =>
    fetch(`${auth.origin}/t/demo/userinfo${query}`, { headers });
  const challengeOf = (response: Response) => response.headers.get('www-authenticate');

  test('A token in the Authorization: Bearer header is accepted.', async () => {
    const { access_token } = await codeTokens();
    expect((await userinfo({ authorization: `Bearer ${access_token}` })).status).toBe(200);
  });

  test('An access_token in a form-encoded body is accepted for clients that cannot set headers.', async () => {
    const { access_token } = await codeTokens();
    expect((await auth.post('/t/demo/userinfo', { access_token: String(access_token) })).status).toBe(200);
  });

  test('An access_token in the URL query string is rejected.', async () => {
    const { access_token } = await codeTokens();
    const response = await userinfo({}, `?access_token=${access_token}`);
    expect([response.status, challengeOf(response)]).toEqual([
      400,
      expect.stringContaining('invalid_request'),
    ]);
  });

  test('A token sent in two places receives 400 invalid_request.', async () => {
    const { access_token } = await codeTokens();
    const answer = await auth.post(
      '/t/demo/userinfo',
      { access_token: String(access_token) },
      { headers: { authorization: `Bearer ${access_token}` } },
    );
    expect(answer.status).toBe(400);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_request"/);
  });

  test('An expired, revoked or invalid token receives 401 invalid_token.', async () => {
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

  test('A valid token with insufficient scope receives 403 insufficient_scope.', async () => {
    const { form } = await issueCode(auth, web, { scopes: ['profile'] });
    const { access_token } = (await token(form)).body;
    const response = await userinfo({ authorization: `Bearer ${access_token}` });
    expect(response.status).toBe(403);
    expect(challengeOf(response)).toContain('error="insufficient_scope"');
  });
});
