import { readFileSync } from 'node:fs';
import type { Demo } from '../support/demo.ts';
import type { Subgraph } from './model.ts';

/** Base URLs. */
export type Processes = Readonly<Record<Subgraph | 'gateway', string>>;

/** Returns the URLs of the processes of the running system. */
export function processes(demo: Demo): Processes {
  const file = process.env.OSTIARY_E2E_SYSTEM;
  if (file) return (JSON.parse(readFileSync(file, 'utf8')) as { urls: Processes }).urls;
  const port = Number(new URL(demo.origin).port);
  const at = (offset: number) => `http://127.0.0.1:${port + offset}`;
  return { gateway: at(0), auth: at(1), directory: at(2), provisioning: at(3) };
}

/** Posts JSON and returns the answer. @throws Error with the answer when it is not a success */
export async function post<T>(url: string, token: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Requests an access token by client credentials. */
export async function clientToken(
  issuer: string,
  client: { client_id: string; client_secret: string },
  parameters: Record<string, string> = {},
): Promise<string> {
  const pair = `${encodeURIComponent(client.client_id)}:${encodeURIComponent(client.client_secret)}`;
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...parameters }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (body.access_token === undefined) throw new Error(`no token: ${JSON.stringify(body)}`);
  return body.access_token;
}
