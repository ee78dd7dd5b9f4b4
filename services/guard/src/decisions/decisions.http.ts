import { METHODS } from 'node:http';
import { Counter, type Exchange, type ServiceKit, takeOver } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { type ProxyName, verifyPath } from '../proxies/index.ts';
import { type Decision, type Decisions, type Outcome, outcomes } from './domain/decisions.ts';

export interface VerificationOptions {
  kit: Pick<ServiceKit, 'log' | 'metrics'>;
  decisions: Decisions;
  proxy: ProxyName;
}

/**
 * Returns the function that routes all addresses below the path at which Envoy asks to it: Envoy appends paths that only
 * the rules interpret. Other proxies append none, so such an address comes from a client of another location.
 */
export const routedFor =
  (proxy: ProxyName) =>
  (url: string): string =>
    proxy === 'envoy' && url.startsWith(`${verifyPath}/`) ? verifyPath : url;

/** Adds the route that proxies ask. It takes all methods, because Envoy sends that of the original request. */
export function answerProxies(app: FastifyInstance, options: VerificationOptions): void {
  const counted = countOutcomes(options.kit);
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  app.route({
    method: METHODS.filter((method) => method !== 'CONNECT'),
    url: verifyPath,
    // Before a body is read: the decision does not depend on it.
    onRequest(request, reply) {
      request.raw.url = request.originalUrl;
      void answer(takeOver(request, reply), options, counted);
    },
    handler: async (_request, reply) => reply.hijack(),
  });
}

async function answer(
  { request, response, headers, requestId }: Exchange,
  { kit, decisions, proxy }: VerificationOptions,
  counted: (outcome: Outcome) => void,
): Promise<void> {
  let decision: Decision;
  try {
    decision = await decisions.decide(request);
  } catch (error) {
    kit.log.error({ event: 'guard.decision_failed', requestId, err: error }, 'Request could not be decided');
    response.writeHead(500, [...headers, 'content-length', '0']).end();
    return;
  }
  counted(decision.outcome);
  const text = decision.body === undefined ? '' : JSON.stringify(decision.body);
  response
    .writeHead(statusFor(proxy, decision.status), [
      ...headers,
      ...Object.entries({ 'cache-control': 'no-store', ...decision.headers, ...decision.identity }).flat(),
      ...(text === '' ? [] : ['content-type', 'application/json; charset=utf-8']),
      'content-length',
      String(Buffer.byteLength(text)),
    ])
    .end(request.method === 'HEAD' ? undefined : text);
}

/** nginx answers 500 for each status except 2xx, 401 and 403 (ngx_http_auth_request_module). */
const statusFor = (proxy: ProxyName, status: Decision['status']): number => {
  if (proxy !== 'nginx') return status;
  return status === 400 ? 403 : status === 302 ? 401 : status;
};

function countOutcomes({ metrics }: Pick<ServiceKit, 'metrics'>): (outcome: Outcome) => void {
  const counter = new Counter({
    name: 'guard_decisions_total',
    help: 'Number of decided requests, by outcome',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  });
  // Present from the start, so that the first increase is visible.
  for (const outcome of outcomes) counter.inc({ outcome }, 0);
  return (outcome) => counter.inc({ outcome });
}
