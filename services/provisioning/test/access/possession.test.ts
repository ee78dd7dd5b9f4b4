import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import { publicOrigin } from '../support/authorization-server.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, startService } from '../support/service.ts';

const users = `${publicOrigin}/t/demo/scim/v2/Users`;
const scopes = ['scim:read', 'scim:write'];

let directory: RecordingDirectory;
let service: RunningService;
let prover: Prover;
let token: string;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});
beforeEach(async () => {
  directory.clear();
  prover = await Prover.create();
  token = service.authorization.token({ subject: 'app', scopes, jkt: prover.jkt });
  const { headers } = await service.scim('GET', '/Users', {
    headers: await prover.headers('GET', users, token),
  });
  prover.nonce = headers.get('dpop-nonce') ?? undefined;
});

describe('DPoP-bound tokens', () => {
  test('A token bound to a key reads and writes with a proof for the public address of each request.', async () => {
    const list = await service.scim('GET', '/Users?count=1', {
      headers: await prover.headers('GET', users, token),
    });
    expect(list.status).toBe(200);
    const body = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'carol' };
    const created = await service.scim('POST', '/Users', {
      body,
      headers: await prover.headers('POST', users, token),
    });
    expect(created.status).toBe(201);
  });

  test('A proof without a nonce is answered with a request for one, as a SCIM error.', async () => {
    const answer = await service.scim('GET', '/Users', {
      headers: await prover.headers('GET', users, token, { claims: { nonce: undefined } }),
    });
    expect([answer.status, answer.body.status]).toEqual([401, '401']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^DPoP realm="[^"]+", error="use_dpop_nonce"/);
    expect(answer.headers.get('dpop-nonce')).toBe(prover.nonce);
  });

  test('A bound token sent as Bearer, with a proof for another address or used twice is rejected without effect.', async () => {
    const other = await prover.headers('POST', `${publicOrigin}/t/demo/scim/v2/Groups`, token);
    const used = await prover.headers('GET', users, token);
    expect((await service.scim('GET', '/Users', { headers: used })).status).toBe(200);
    directory.clear();
    const body = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'mallory' };
    const answers = [
      await service.scim('POST', '/Users', { body, token }),
      await service.scim('POST', '/Users', { body, headers: other }),
      await service.scim('GET', '/Users', { headers: used }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    const challenges = answers.map(({ headers }) => headers.get('www-authenticate'));
    expect(challenges[0]).toMatch(/^Bearer .*error="invalid_token".*, DPoP realm="[^"]+", .*algs="ES256 /);
    expect(challenges[1]).toMatch(/^DPoP .*error="invalid_dpop_proof".*algs="ES256 /);
    expect(challenges[2]).toMatch(/^DPoP .*error="invalid_dpop_proof"/);
    expect(directory.commands).toHaveLength(0);
  });

  test('A token bound to a key is valid in one tenant.', async () => {
    const url = `${publicOrigin}/t/rival/scim/v2/Users`;
    const answer = await service.scim('GET', '/Users', {
      tenant: 'rival',
      headers: await prover.headers('GET', url, token),
    });
    expect(answer.status).toBe(401);
  });
});

test('A connector token is accepted only as a bearer token.', async () => {
  const { token: connectorToken } = await service.connector();
  const answer = await service.scim('GET', '/Users', {
    headers: await prover.headers('GET', users, connectorToken),
  });
  expect(answer.status).toBe(401);
});

test('A token for the SCIM surface alone is as valid as one for the whole API; one for the graph is not.', async () => {
  const audience = `${publicOrigin}/t/demo/scim/v2`;
  const narrow = service.authorization.token({ subject: 'app', scopes, audience });
  expect((await service.scim('GET', '/Users', { token: narrow })).status).toBe(200);
  const rival = service.authorization.token({
    subject: 'app',
    scopes,
    audience: `${publicOrigin}/t/rival/scim/v2`,
  });
  const graph = service.authorization.token({
    subject: 'app',
    scopes,
    audience: `${publicOrigin}/graphql`,
  });
  for (const other of [rival, graph]) {
    expect((await service.scim('GET', '/Users', { token: other })).status).toBe(401);
  }
});

describe('Methods of presenting a token (RFC 6750 §2)', () => {
  const form = (headers: Record<string, string> = {}) =>
    service.scim('POST', '/Users', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: `access_token=${token}`,
    });

  test('A token in a form only counts as no token, because SCIM accepts no forms.', async () => {
    expect((await form()).status).toBe(401);
  });

  test('A token in the header and in a form is rejected with 400 invalid_request.', async () => {
    const { token: connectorToken } = await service.connector();
    const answer = await form({ authorization: `Bearer ${connectorToken}` });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_request"');
    expect(directory.commands).toHaveLength(0);
  });

  test('A token in the query is rejected even where no token is needed.', async () => {
    const answer = await service.scim('GET', '/ServiceProviderConfig?access_token=x');
    expect(answer.status).toBe(400);
  });
});

describe('Metadata of the SCIM surface (RFC 9728)', () => {
  const metadata = (path: string) => fetch(`${service.url}/.well-known/oauth-protected-resource${path}`);

  test('The metadata is at the address that every challenge names, and states the server that issues tokens.', async () => {
    const refused = await service.scim('GET', '/Users');
    const address = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
    expect(address).toBe(`${publicOrigin}/.well-known/oauth-protected-resource/t/demo/scim/v2`);
    const answer = await metadata('/t/demo/scim/v2');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await answer.json()).toEqual({
      resource: `${publicOrigin}/t/demo/scim/v2`,
      authorization_servers: [`${publicOrigin}/t/demo`],
      bearer_methods_supported: ['header'],
      scopes_supported: ['scim:read', 'scim:write'],
      dpop_signing_alg_values_supported: ['ES256', 'ES384', 'PS256', 'EdDSA', 'Ed25519'],
      dpop_bound_access_tokens_required: false,
      resource_name: 'SCIM 2.0',
    });
  });

  test('The metadata does not reveal which tenants exist.', async () => {
    expect((await metadata('/t/no-such-tenant/scim/v2')).status).toBe(200);
    expect((await metadata('/t/NOT_ONE/scim/v2')).status).toBe(404);
  });
});
