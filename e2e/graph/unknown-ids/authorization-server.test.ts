import { beforeAll, describe, expect, test } from '@jest/globals';
import { sameForAll } from './answers.ts';
import { type Asking, malformed, ours, prepare, rival } from './ids.ts';

let tokens: Asking['tokens'];

beforeAll(async () => {
  ({ tokens } = await prepare());
});

/** Malformed ids for a path segment, without those that are ambiguous and rejected as malformed requests. */
const inAddresses = malformed.filter(
  (id) => /^[^%/ ]+$/.test(id) && !id.includes('\u0000') && id.length < 256,
);

describe('at the authorization server', () => {
  const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${rival.issuer}/${path}`, { method: 'POST', body: new URLSearchParams(fields), headers });
  // RFC 6749 appendix A.1 permits printable ASCII in a client_id; other characters make the request malformed.
  const printable = [...inAddresses.filter((id) => /^[\x21-\x7e]+$/.test(id)), ours.clients.web.client_id];
  const basic = (id: string) => ({ authorization: `Basic ${btoa(`${encodeURIComponent(id)}:secret`)}` });

  test.each<[string, Record<string, string>]>([
    ['token', { grant_type: 'client_credentials' }],
    [
      'token',
      {
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri: 'https://x.test',
        code_verifier: 'x'.repeat(43),
      },
    ],
    ['token', { grant_type: 'refresh_token', refresh_token: 'x' }],
    ['par', { response_type: 'code', redirect_uri: 'https://x.test' }],
    ['revoke', { token: 'x' }],
    ['introspect', { token: 'x' }],
    ['device_authorization', {}],
  ])('A malformed or foreign client_id at /%s is answered like an unknown one.', async (path, fields) => {
    for (const ask of [
      (id: string) => form(path, { ...fields, client_id: id, client_secret: 'secret' }),
      (id: string) => form(path, { ...fields, client_id: id }),
      (id: string) => form(path, fields, basic(id)),
    ]) {
      const { expected, others } = await sameForAll(['nobody', ...printable], ask);
      expect(expected).toMatch(/^\[40[01],/);
      expect(others).toEqual([]);
    }
  });

  test('Malformed and foreign codes, tokens and references are answered like unknown ones.', async () => {
    const { web } = rival.clients;
    const redirect = web.redirect_uris[0] ?? '';
    const ids = ['A'.repeat(43), ...inAddresses];
    for (const ask of [
      (id: string) =>
        form('token', {
          grant_type: 'authorization_code',
          client_id: web.client_id,
          redirect_uri: redirect,
          code_verifier: 'x'.repeat(43),
          code: id,
        }),
      (id: string) =>
        form('token', { grant_type: 'refresh_token', client_id: web.client_id, refresh_token: id }),
      (id: string) => form('revoke', { client_id: web.client_id, token: id }),
      (id: string) =>
        form(
          'introspect',
          { token: id },
          {
            authorization: `Basic ${btoa(`${rival.clients.api.client_id}:${rival.clients.api.client_secret}`)}`,
          },
        ),
    ]) {
      const { others } = await sameForAll(ids, ask);
      expect(others).toEqual([]);
    }
  });

  test('Malformed and foreign ids of registrations and at the sign-in page are answered like unknown ones.', async () => {
    for (const ask of [
      (id: string) =>
        fetch(`${rival.issuer}/register/${encodeURIComponent(id)}`, {
          headers: { authorization: 'Bearer x' },
        }),
      (id: string) =>
        fetch(`${rival.issuer}/authorize?client_id=${encodeURIComponent(id)}&response_type=code`, {
          redirect: 'manual',
        }),
      (id: string) =>
        fetch(`${rival.issuer}/ssf/streams?stream_id=${encodeURIComponent(id)}`, {
          headers: { authorization: `Bearer ${tokens.app}` },
        }),
    ]) {
      const { expected, others } = await sameForAll(['nobody', ...printable], ask);
      expect(expected).toMatch(/^\[4/);
      expect(others).toEqual([]);
    }
  });
});
