import type { IncomingMessage } from 'node:http';
import {
  Counter,
  type DirectRoute,
  type DirectSurface,
  type Exchange,
  type ServiceKit,
} from '@ostiary/service';
import { type ProxyName, verifyPath } from '../proxies/index.ts';
import { type Decision, type Decisions, type Outcome, outcomes } from './domain/decisions.ts';

export interface DecisionSurfaceOptions {
  kit: Pick<ServiceKit, 'log' | 'metrics'>;
  decisions: Decisions;
  proxy: ProxyName;
}

/** Returns the surface that proxies ask. It bypasses the router, which would interpret the paths that Envoy appends. */
export function decisionSurface(options: DecisionSurfaceOptions): DirectSurface {
  const counted = countOutcomes(options.kit);
  const route: DirectRoute = {
    pattern: verifyPath,
    answer: (exchange) => void answer(exchange, options, counted),
  };
  return { find: ({ url = '' }: IncomingMessage) => (isVerification(url) ? route : undefined) };
}

const isVerification = (url: string): boolean =>
  url.startsWith(verifyPath) && /^(?:$|[/?])/.test(url.slice(verifyPath.length));

async function answer(
  { request, response, headers, requestId }: Exchange,
  { kit, decisions, proxy }: DecisionSurfaceOptions,
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
const statusFor = (proxy: ProxyName, status: Decision['status']): number =>
  proxy === 'nginx' && status === 400 ? 403 : status;

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
