import { uuidv7 } from '@ostiary/service';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { appendFacts } from '../../../src/signals/data/facts.ts';
import { eventsSupported } from '../../../src/signals/domain/event-types.ts';
import type { NewFact } from '../../../src/tenancy/events/domain/facts.ts';
import { type RunningAuth, register } from '../../support/running-auth.ts';

export const pushMethod = 'urn:ietf:rfc:8935';
export const pollMethod = 'urn:ietf:rfc:8936';

export interface Said {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the responses
  body: any;
}

/** A receiver of shared signals: a client that manages its streams with its access token. */
export class Receiver {
  readonly auth: RunningAuth;
  readonly tenant: string;
  readonly clientId: string;
  token: string;

  constructor(auth: RunningAuth, o: { tenant: string; clientId: string; token: string }) {
    this.auth = auth;
    this.tenant = o.tenant;
    this.clientId = o.clientId;
    this.token = o.token;
  }

  get issuer(): string {
    return this.auth.issuer(this.tenant);
  }

  /** Sends a request to an endpoint of the tenant. A body that is not a string is sent as JSON. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Said> {
    const response = await fetch(`${this.auth.origin}/t/${this.tenant}/ssf/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  /** Creates a stream of all supported events, polled by default. */
  async stream(
    configuration: Record<string, unknown> = {},
  ): Promise<Record<string, never> & { stream_id: string }> {
    const { status, body } = await this.ask('POST', 'stream', {
      events_requested: eventsSupported,
      ...configuration,
    });
    if (status !== 201) throw new Error(`no stream but ${status} ${JSON.stringify(body)}`);
    return body;
  }

  push = (endpointUrl: string, configuration: Record<string, unknown> = {}) =>
    this.stream({
      delivery: { method: pushMethod, endpoint_url: endpointUrl, authorization_header: 'Bearer its-own' },
      ...configuration,
    });

  poll = (streamId: string, request: Record<string, unknown> = {}): Promise<Said> =>
    this.ask('POST', `poll/${streamId}`, { returnImmediately: true, ...request });

  /** Polls and returns the claims of the tokens, each verified. */
  async events(streamId: string, request: Record<string, unknown> = {}): Promise<JWTPayload[]> {
    const { body } = await this.poll(streamId, request);
    return Promise.all(Object.values<string>(body.sets).map((token) => verified(this, token)));
  }

  setStatus = (streamId: string, status: string, reason?: string): Promise<Said> =>
    this.ask('POST', 'status', { stream_id: streamId, status, ...(reason === undefined ? {} : { reason }) });
}

/** Verifies a token by the tenant's published keys. */
export async function verified(receiver: Receiver, token: string): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(`${receiver.auth.origin}/t/${receiver.tenant}/jwks`));
  const { payload } = await jwtVerify(token, keys, {
    issuer: receiver.issuer,
    audience: receiver.clientId,
    typ: 'secevent+jwt',
    algorithms: ['RS256'],
  });
  return payload;
}

/** Registers a client with these scopes and gets an access token. */
export async function receiver(
  auth: RunningAuth,
  o: { tenant?: string; scope?: string } = {},
): Promise<Receiver> {
  const tenant = o.tenant ?? 'demo';
  const scope = o.scope ?? 'ssf.manage ssf.read';
  const { client, clientSecret } = await register(
    auth,
    { grant_types: ['client_credentials'], redirect_uris: [], scope },
    tenant,
  );
  const { status, body } = await auth.post(
    `/t/${tenant}/token`,
    { grant_type: 'client_credentials' },
    { basic: [client.clientId, clientSecret ?? ''] },
  );
  if (status !== 200) throw new Error(`no token but ${status} ${JSON.stringify(body)}`);
  return new Receiver(auth, { tenant, clientId: client.clientId, token: String(body.access_token) });
}

/**
 * Appends a fact.
 * @returns id of its subject
 */
export async function happen(
  auth: RunningAuth,
  fact: Partial<NewFact> & Pick<NewFact, 'type'>,
  tenant = 'demo',
): Promise<string> {
  const id = fact.subject?.id ?? uuidv7();
  await auth.database.transaction((tx) =>
    appendFacts(tx, tenant, [{ subject: { kind: 'user', id }, data: {}, ...fact }]),
  );
  return id;
}

/** Returns the only event of a token. */
export function eventOf(claims: JWTPayload | undefined): [string, Record<string, unknown>] {
  const [event, ...others] = Object.entries(
    (claims?.events ?? {}) as Record<string, Record<string, unknown>>,
  );
  if (!event || others.length > 0) throw new Error('not exactly one event');
  return event;
}
