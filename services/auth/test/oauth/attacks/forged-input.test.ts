import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { assertionType } from '../../../src/clients/domain/assertions/client-assertion.ts';
import { Signatory } from '../../support/assertions.ts';
import {
  answered,
  app,
  machineToken,
  open,
  service,
  setUpAttackedService,
  signedIn,
} from '../../support/sign-in/attacked-service.ts';
import { authorizeUrl, redeem, tenant, token } from '../../support/sign-in/service.ts';

// Known vulnerabilities of other products, tested over HTTP.

setUpAttackedService();

describe('addresses', () => {
  test('An issuer or link never comes from Host or X-Forwarded-*.', async () => {
    const hostile = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-forwarded-port': '666',
      forwarded: 'host=evil.example;proto=http',
    };
    const paths = [
      '/.well-known/openid-configuration',
      '/jwks',
      '/device',
      '/authorize',
      '/logout',
      '/account',
    ];
    for (const path of paths) {
      const answer = await open(`/t/${tenant}${path}`, hostile);
      expect(answer.text + [...answer.headers].join()).not.toMatch(/evil|:666/);
    }
    const tv = await service.client({
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      redirect_uris: [],
      application_type: 'native',
    });
    const device = await service
      .browser()
      .post(`/t/${tenant}/device_authorization`, { client_id: tv.clientId }, hostile);
    expect(JSON.parse(device.text).verification_uri).toBe(`http://localhost:4000/t/${tenant}/device`);
    const { browser } = await signedIn();
    const end = await browser.get(authorizeUrl(app), hostile);
    expect(answered(end.location).get('iss')).toBe(`http://localhost:4000/t/${tenant}`);
    const { body } = await redeem(service, app, new URL(end.location ?? ''));
    for (const jwt of [body.access_token, body.id_token]) {
      const claims = JSON.parse(Buffer.from(String(jwt ?? '').split('.')[1] ?? '', 'base64url').toString());
      expect(claims.iss).toBe(`http://localhost:4000/t/${tenant}`);
    }
  });

  test('The addresses of keys, request objects and logos never cause an internal request (CVE-2020-10770).', async () => {
    let tried = 0;
    const asked: string[] = [];
    const bait = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('{"keys":[]}');
    });
    await new Promise<void>((resolve) => bait.listen(0, resolve));
    const { port } = bait.address() as AddressInfo;
    const signer = await Signatory.create('any');
    const hosts = [
      '127.0.0.1',
      'localhost',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '0.0.0.0',
      '127.1',
    ];
    try {
      for (const host of hosts) {
        const uri = `http://${host}:${port}/jwks`;
        const made = await service
          .client({
            grant_types: ['client_credentials'],
            redirect_uris: [],
            scope: 'users:read',
            token_endpoint_auth_method: 'private_key_jwt',
            logo_uri: uri,
            jwks_uri: uri,
            request_uris: [uri],
          } as object)
          .catch(() => undefined);
        const { browser } = await signedIn();
        const sent = await browser.get(authorizeUrl(app, { request_uri: uri }));
        expect([sent.status, sent.location]).toEqual([400, undefined]);
        if (!made) continue;
        tried += 1;
        const id = made.clientId;
        const exp = Math.floor(Date.now() / 1000) + 60;
        const aud = `http://localhost:4000/t/${tenant}`;
        const answer = await token(service, made, {
          grant_type: 'client_credentials',
          client_assertion_type: assertionType,
          client_assertion: await signer.assertion({ iss: id, sub: id, aud, exp }),
        });
        expect([401, 503]).toContain(answer.status);
        expect(JSON.stringify(answer.body)).not.toMatch(/127|localhost|ECONN|private/i);
      }
      // The addresses are rejected at registration.
      expect([asked, tried]).toEqual([[], 0]);
    } finally {
      await new Promise((resolve) => bait.close(resolve));
    }
  });
});

test('A forged page token never reaches SQL as text.', async () => {
  const accessToken = await machineToken('clients:read');
  const list = async (after: string | null) => {
    const response = await fetch(`${service.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({
        query:
          'query ($after: String) { clients(first: 1, after: $after) { totalCount pageInfo { endCursor } edges { node { id } } } }',
        variables: { after },
      }),
    });
    return (await response.json()) as {
      data?: { clients?: { totalCount: number; pageInfo: { endCursor: string }; edges: unknown[] } };
      errors?: { extensions: { code: string } }[];
    };
  };
  const first = await list(null);
  const honest = first.data?.clients?.pageInfo.endCursor ?? '';
  const [kind, value] = JSON.parse(Buffer.from(honest, 'base64url').toString()) as [string, unknown];
  const attack = "' OR 1=1; DROP TABLE auth.clients; --";
  const forged = [
    attack,
    `${value}\0`,
    [attack, attack],
    ["2020-01-01'::timestamptz OR true --", attack],
    { $gt: '' },
    null,
    '\0',
  ];
  for (const one of [...forged, [value, attack].flat()]) {
    const answer = await list(Buffer.from(JSON.stringify([kind, one])).toString('base64url'));
    for (const failure of answer.errors ?? []) expect(failure.extensions.code).toBe('BAD_USER_INPUT');
    // A token that is decoded as a cursor never increases the page size.
    expect(answer.data?.clients?.edges.length ?? 0).toBeLessThanOrEqual(1);
  }
  expect(await list(Buffer.from('["nonsense').toString('base64url'))).toMatchObject({ errors: [{}] });
  expect((await list(null)).data?.clients?.totalCount).toBe(first.data?.clients?.totalCount);
});
