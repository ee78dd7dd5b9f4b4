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

/** For `Stage.set`: receivers on this machine, without a certificate, and pauses that fit into a run. */
export const receiverEnv = {
  NODE_ENV: 'test',
  OUTGOING_ALLOW_PRIVATE: 'true',
  DELIVERY_TIMEOUT_SECONDS: '2',
  DELIVERY_RETRY_FIRST_SECONDS: '1',
  DELIVERY_RETRY_MAX_SECONDS: '2',
};

/** Seconds by which the time of a message may be off. */
const tolerance = 300;

/** Somebody outside, who notes what they are told. */
export interface Receiver {
  readonly name: string;
  /** Whose customer it is: it is to hear nothing of another's people. */
  readonly tenant: TenantName;
  readonly expects: Expectations;
  /** As deliveries name it. */
  readonly id: string;
  readonly arrivals: readonly Arrival[];
  /** Requests that nobody should have believed. */
  readonly forged: readonly string[];
  subscribe(stage: Stage): Promise<void>;
  stop(): void;
}

/** A customer's webhook receiver. */
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

  /** As Standard Webhooks says. */
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

/** Of a hundred requests to the one that fails: how many meet which treatment, but for those that are taken. */
const failures = { refuses: 12, hangs: 5, cuts: 8 };

/** The part of its requests that a receiver fails, by intention. */
export const failing = Object.values(failures).reduce((sum, one) => sum + one, 0) / 100;

const types = [
  'USER_DEACTIVATED',
  'USER_REACTIVATED',
  'USER_DELETED',
  'SESSION_REVOKED',
  'USER_DOORS_CLOSED',
];

/**
 * Everybody outside: a webhook that works, one that often doesn't, as the seed says, one of the other tenant, an app that is told of
 * logouts, and Shared Signals that are pushed and that are fetched.
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

  /** Waits until nobody is to be told anything any more, or the time is up. @param open how much is still to be told */
  async settle(open: () => Promise<number | undefined>, withinMs: number): Promise<void> {
    const until = performance.now() + withinMs;
    while (performance.now() < until && (await open()) !== 0) await sleep(200);
  }

  stop(): void {
    for (const receiver of this.all) receiver.stop();
  }
}
