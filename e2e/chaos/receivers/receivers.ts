import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { graph } from '../../support/graph.ts';
import { adminToken } from '../../support/sign-in.ts';
import type { TenantName } from '../person.ts';
import type { Random } from '../random.ts';
import type { Stage } from '../stage.ts';
import type { Arrival, Treatment } from './arrival.ts';
import { asWebhook, type Expectations } from './expectations.ts';
import { LogoutReceiver, PolledSignals, PushedSignals } from './signals.ts';

/** Environment for `Stage.set`: local receivers without a certificate, and retry intervals that fit into a run. */
export const receiverEnv = {
  NODE_ENV: 'test',
  OUTGOING_ALLOW_PRIVATE: 'true',
  DELIVERY_TIMEOUT_SECONDS: '2',
  DELIVERY_RETRY_FIRST_SECONDS: '1',
  DELIVERY_RETRY_MAX_SECONDS: '2',
};

/** Maximum clock difference of a message in seconds. */
const tolerance = 300;

/** An external receiver that records its messages. */
export interface Receiver {
  readonly name: string;
  /** Tenant of the receiver; it must get no message about another tenant. */
  readonly tenant: TenantName;
  readonly expects: Expectations;
  /** Receiver id of the deliveries. */
  readonly id: string;
  readonly arrivals: readonly Arrival[];
  /** Requests without a valid signature. */
  readonly forged: readonly string[];
  subscribe(stage: Stage): Promise<void>;
  stop(): void;
}

class WebhookReceiver implements Receiver {
  readonly name: string;
  readonly tenant: TenantName;
  readonly expects = asWebhook;
  readonly arrivals: Arrival[] = [];
  readonly forged: string[] = [];
  id = '';
  #secret = Buffer.alloc(0);
  readonly #treat: () => Treatment;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => this.#take(request.headers, Buffer.concat(chunks).toString(), response));
  });

  constructor(name: string, tenant: TenantName, treat: () => Treatment = () => 'takes') {
    this.name = name;
    this.tenant = tenant;
    this.#treat = treat;
  }

  async subscribe({ demo }: Stage): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    const { data, errors } = await graph(
      demo,
      await adminToken(demo.tenants[this.tenant]),
      `mutation ($input: CreateWebhookInput!) {
        createWebhook(input: $input) { webhook { id } secret problems { message } } }`,
      { input: { name: this.name, endpoint: `http://127.0.0.1:${port}/`, types } },
    );
    const { webhook, secret } = data?.createWebhook ?? {};
    if (!webhook) throw new Error(`no webhook: ${JSON.stringify({ data, errors })}`);
    this.id = webhook.id;
    this.#secret = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(headers: IncomingHttpHeaders, body: string, response: ServerResponse): void {
    const at = performance.now();
    if (!this.#isGenuine(headers, body)) {
      this.forged.push(`${headers['webhook-id']} of ${headers['webhook-timestamp']}`);
      return void response.writeHead(401).end();
    }
    const { type, data } = JSON.parse(body);
    const treatment = this.#treat();
    this.arrivals.push({
      id: String(headers['webhook-id']),
      type,
      tenant: data.tenant,
      subject: data.subject.id,
      version: data.version,
      at,
      treatment,
      body,
    });
    if (treatment === 'takes') response.writeHead(204).end();
    if (treatment === 'refuses') response.writeHead(503).end();
    if (treatment === 'cuts') response.destroy();
  }

  /** Verifies the signature as Standard Webhooks requires. */
  #isGenuine(headers: IncomingHttpHeaders, body: string): boolean {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
    const signature = createHmac('sha256', this.#secret)
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    return (
      Math.abs(Date.now() / 1000 - Number(timestamp)) < tolerance &&
      String(signatures).split(' ').includes(`v1,${signature}`)
    );
  }
}

/** Number of failures of each kind per 100 requests to the failing receiver. */
const failures = { refuses: 12, hangs: 5, cuts: 8 };

/** Share of requests that the failing receiver rejects intentionally. */
export const failing = Object.values(failures).reduce((sum, one) => sum + one, 0) / 100;

const types = [
  'USER_DEACTIVATED',
  'USER_REACTIVATED',
  'USER_DELETED',
  'SESSION_REVOKED',
  'USER_DOORS_CLOSED',
];

/**
 * All receivers: a reliable webhook, one that fails as the seed determines, one of the other tenant, a client with
 * back-channel logout, and Shared Signals by push and by poll.
 */
export class Receivers {
  readonly all: readonly Receiver[];

  constructor(random: Random) {
    const moody = () => {
      let drawn = random.between(1, 100);
      for (const [treatment, share] of Object.entries(failures)) {
        if (drawn <= share) return treatment as Treatment;
        drawn -= share;
      }
      return 'takes';
    };
    this.all = [
      new WebhookReceiver('the receiver that works', 'demo'),
      new WebhookReceiver('the receiver that often fails', 'demo', moody),
      new WebhookReceiver('the receiver of the other tenant', 'rival'),
      new LogoutReceiver(),
      new PushedSignals(),
      new PolledSignals(),
    ];
  }

  async subscribe(stage: Stage): Promise<void> {
    for (const receiver of this.all) await receiver.subscribe(stage);
  }

  /** Waits until no delivery is open, or the timeout. @param open returns the number of open deliveries */
  async settle(open: () => Promise<number | undefined>, withinMs: number): Promise<void> {
    const until = performance.now() + withinMs;
    while (performance.now() < until && (await open()) !== 0) await sleep(200);
  }

  stop(): void {
    for (const receiver of this.all) receiver.stop();
  }
}
