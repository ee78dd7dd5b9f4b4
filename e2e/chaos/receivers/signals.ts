import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import pg from 'pg';
import { graph } from '../../support/graph.ts';
import { adminToken } from '../../support/sign-in.ts';
import { ask } from '../asking.ts';
import type { TenantName } from '../person.ts';
import type { Stage } from '../stage.ts';
import type { Arrival } from './arrival.ts';
import { asLogout, asSignals, type Expectations, logout, signals } from './expectations.ts';

/** Maximum clock difference of a token in seconds; these runs skew clocks. */
const tolerance = 300;

const betweenPollsMs = 1_000;

/** A receiver of the demo tenant that accepts signed tokens only. */
abstract class TokenReceiver {
  abstract readonly name: string;
  abstract readonly expects: Expectations;
  readonly tenant: TenantName = 'demo';
  readonly arrivals: Arrival[] = [];
  /** Tokens without a valid signature. */
  readonly forged: string[] = [];
  /** Receiver id of the deliveries: of its client or stream. */
  id = '';
  #verify: (token: string) => Promise<JWTPayload> = () => Promise.reject(new Error('no keys yet'));

  abstract subscribe(stage: Stage): Promise<void>;
  abstract stop(): void;

  /** Fetches the tenant's keys once, because a fault may make them unavailable later. */
  protected async trust({ demo }: Stage, audience: string, typ: string): Promise<void> {
    const { issuer } = demo.tenants.demo;
    const response = await fetch(`${issuer}/jwks`);
    const keys = createLocalJWKSet((await response.json()) as JSONWebKeySet);
    this.#verify = async (token) =>
      (await jwtVerify(token, keys, { issuer, audience, typ, clockTolerance: tolerance })).payload;
  }

  /** @returns whether the token was accepted */
  protected async take(token: string): Promise<boolean> {
    const at = performance.now();
    try {
      const claims = await this.#verify(token);
      const type = this.typeOf(claims);
      // Events about the stream itself have no subject.
      if (type.includes('/ssf/event-type/')) return true;
      this.arrivals.push({
        id: String(claims.jti),
        type,
        tenant: String(claims.iss).split('/').at(-1) ?? '',
        subject: subjectOf(claims),
        version: undefined,
        at,
        treatment: 'takes',
        body: JSON.stringify([type, subjectOf(claims), claims.txn]),
      });
      return true;
    } catch (error) {
      this.forged.push(String(error));
      return false;
    }
  }

  protected typeOf({ events }: JWTPayload): string {
    return Object.keys((events ?? {}) as object).join();
  }
}

/** Returns the subject: `sub` of a logout token, `sub_id` (RFC 9493) of a security event. */
function subjectOf({ sub, sub_id: subject }: JWTPayload): string {
  if (sub !== undefined) return sub;
  const { format, sub: of, uri } = (subject ?? {}) as Record<string, string>;
  return String(format === 'scim' ? uri?.replace('/Users/', '') : of);
}

/** Starts a local endpoint for POST requests. */
async function endpoint(
  take: (body: string, response: ServerResponse) => void,
): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => take(Buffer.concat(chunks).toString(), response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** The client that every user signs in to, as a receiver of logout tokens (OpenID Connect Back-Channel Logout). */
export class LogoutReceiver extends TokenReceiver {
  readonly name = 'the receiver of logout tokens';
  readonly expects = asLogout;
  #server: Server | undefined;

  async subscribe(stage: Stage): Promise<void> {
    const { demo, system } = stage;
    const { server, url } = await endpoint(async (body, response) => {
      const believed = await this.take(new URLSearchParams(body).get('logout_token') ?? '');
      response.writeHead(believed ? 200 : 400).end();
    });
    this.#server = server;
    this.id = demo.tenants.demo.clients.web.client_id;
    await this.trust(stage, this.id, 'logout+jwt');
    const { data, errors } = await graph(
      demo,
      await adminToken(demo.tenants.demo),
      `mutation ($input: UpdateClientInput!) { updateClient(input: $input) { client { id } problems { message } } }`,
      { input: { id: this.id, backchannelLogoutUri: 'https://app.example/' } },
    );
    if (!data?.updateClient?.client) throw new Error(`no logouts: ${JSON.stringify({ data, errors })}`);
    // The registration API requires HTTPS for this URI. The client has not been read and cached yet.
    const db = new pg.Client({ connectionString: system.databaseUrl });
    await db.connect();
    await db.query(
      `UPDATE auth.clients SET metadata = metadata || jsonb_build_object('backchannel_logout_uri', $2::text)
        WHERE tenant = 'demo' AND client_id = $1`,
      [this.id, url],
    );
    await db.end();
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  protected override typeOf(): string {
    return logout;
  }
}

interface Stream {
  stream_id: string;
  aud: string;
  delivery: { endpoint_url: string };
}

/** Creates a stream of the demo tenant that requests the events of a departure. */
async function newStream({ demo }: Stage, delivery: Record<string, string>): Promise<Stream> {
  const { issuer } = demo.tenants.demo;
  const response = await fetch(`${issuer}/ssf/stream`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await adminToken(demo.tenants.demo)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ delivery, events_requested: signals }),
  });
  const made = (await response.json()) as Stream;
  if (response.status !== 201) throw new Error(`no stream: ${response.status} ${JSON.stringify(made)}`);
  return made;
}

/** Shared Signals by push (RFC 8935). */
export class PushedSignals extends TokenReceiver {
  readonly name = 'the receiver of pushed signals';
  readonly expects = asSignals;
  #server: Server | undefined;

  async subscribe(stage: Stage): Promise<void> {
    const { server, url } = await endpoint(async (body, response) => {
      response.writeHead((await this.take(body)) ? 202 : 400).end();
    });
    this.#server = server;
    const { stream_id, aud } = await newStream(stage, { method: 'urn:ietf:rfc:8935', endpoint_url: url });
    this.id = stream_id;
    await this.trust(stage, aud, 'secevent+jwt');
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}

/** Shared Signals by poll (RFC 8936). Events that a fault delays are requested again. */
export class PolledSignals extends TokenReceiver {
  readonly name = 'the receiver of polled signals';
  readonly expects = asSignals;
  readonly #over = new AbortController();

  async subscribe(stage: Stage): Promise<void> {
    const { stream_id, aud, delivery } = await newStream(stage, { method: 'urn:ietf:rfc:8936' });
    this.id = stream_id;
    await this.trust(stage, aud, 'secevent+jwt');
    void this.#poll(stage, delivery.endpoint_url);
  }

  async #poll({ demo }: Stage, url: string): Promise<void> {
    let ack: string[] = [];
    let token = '';
    while (!this.#over.signal.aborted) {
      if (token === '') token = await adminToken(demo.tenants.demo).catch(() => '');
      const answer = await ask(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ maxEvents: 100, returnImmediately: true, ack }),
      });
      if (answer?.status === 401) token = '';
      if (answer?.status === 200) {
        const sets = Object.entries(answer.body.sets as Record<string, string>);
        ack = [];
        for (const [id, set] of sets) if (await this.take(set)) ack.push(id);
        if (sets.length > 0) continue;
      }
      await sleep(betweenPollsMs);
    }
  }

  stop(): void {
    this.#over.abort();
  }
}
