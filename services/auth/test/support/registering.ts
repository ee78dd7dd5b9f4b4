import { expect } from '@jest/globals';
import { usualScopes } from '../../src/clients/domain/dynamic-registration.ts';
import type { Answer } from './running-auth.ts';
import { auth } from './two-processes.ts';

export const initialToken = async (
  o: { uses?: number; scopes?: readonly string[]; lifetimeSeconds?: number; tenant?: string } = {},
): Promise<string> => {
  const { token } = await auth.deps.registrations.createToken(o.tenant ?? 'demo', {
    name: 'tests',
    scopes: o.scopes ?? usualScopes,
    uses: o.uses ?? 1,
    lifetimeSeconds: o.lifetimeSeconds ?? 60,
  });
  return token;
};

/** Sends JSON with a bearer token. */
export async function send(
  method: string,
  address: string,
  token: string | undefined,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(new URL(address, auth.origin), {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

export const metadata = { client_name: 'Notes', redirect_uris: ['https://notes.example/cb'] };

export const post = async (body: unknown, token?: string): Promise<Answer> =>
  send('POST', '/t/demo/register', token ?? (await initialToken()), body);

/** Registers a client dynamically. */
export async function itself(change: object = {}, o: { scopes?: readonly string[] } = {}) {
  const { status, body } = await post({ ...metadata, ...change }, await initialToken(o));
  expect([status, body.error_description]).toEqual([201, undefined]);
  const { client_id: id, registration_client_uri: uri, registration_access_token: token } = body;
  return { id: String(id), uri: String(uri), token: String(token), secret: String(body.client_secret), body };
}
