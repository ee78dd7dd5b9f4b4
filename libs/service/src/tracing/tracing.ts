import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { version } from '../version.ts';
import { requestTraceparent } from './request-scope.ts';
import { type Sampling, samplerOf } from './sampling.ts';

export { SpanKind } from '@opentelemetry/api';

let enabled = false;

/** Reports whether traces are recorded. If not, every tracing call returns immediately. */
export const tracingEnabled = (): boolean => enabled;

/**
 * Enables tracing and sends spans to an OTLP/HTTP endpoint in batches. The SDK is loaded only here, so that
 * installations without a collector neither pay for it nor depend on it.
 * @returns a function that flushes and stops, to be called last at shutdown
 */
export async function startTracing(
  service: string,
  endpoint: string,
  sampling: Sampling = {},
): Promise<() => Promise<void>> {
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }, hooks, core] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new sdk.TracerProvider({
    sampler: samplerOf(sdk, sampling),
    resource: resourceFromAttributes({
      'service.name': `ostiary-${service}`,
      'service.namespace': 'ostiary',
      'service.version': version,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000 })],
  });
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  enabled = true;
  return async () => {
    enabled = false;
    await provider.shutdown();
    // A second start registers new providers; the API ignores them while the former ones are registered.
    trace.disable();
    context.disable();
    propagation.disable();
  };
}

const tracer = () => trace.getTracer('ostiary');

/** Returns the ids for a log line, or nothing outside a recorded trace. */
export function currentTrace(): object {
  if (!enabled) return {};
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { traceId: span.traceId, spanId: span.spanId } : {};
}

/** Only version 00 is defined; others cannot be interpreted (W3C Trace Context §3.2). */
const traceparentPattern = /^00-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/**
 * Continues the caller's trace in a process that records no spans, so that its id is logged and sent in
 * outgoing calls.
 * @returns the same trace with a new parent id (W3C Trace Context §3.2.2.4); undefined if missing or invalid
 */
export function continuedTraceparent(traceparent: string | undefined): string | undefined {
  const [, traceId, flags] = traceparentPattern.exec(traceparent ?? '') ?? [];
  return traceId && `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}`;
}

/**
 * Returns the current W3C `traceparent` for a message or request: of the active span or, without tracing, of
 * the current request if its caller sent one.
 */
export function currentTraceparent(): string | undefined {
  if (!enabled) return requestTraceparent();
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Returns the context of a remote `traceparent`, or the current one if there is none. */
export function contextOf(traceparent: string | undefined): Context {
  if (!enabled || !traceparent) return context.active();
  return propagation.extract(context.active(), { traceparent });
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** Remote parent as W3C traceparent, default the active span. */
  parent?: string | undefined;
}

/** Starts a span without making it the active one; the caller ends it. */
export function startSpan(name: string, options: SpanOptions = {}): Span {
  return tracer().startSpan(
    name,
    { kind: options.kind ?? SpanKind.INTERNAL, attributes: options.attributes ?? {} },
    contextOf(options.parent),
  );
}

/** Runs `work` with `span` active, in its context. */
export function inSpan<T>(span: Span, work: () => T): T {
  return context.with(trace.setSpan(context.active(), span), work);
}

/** Marks a span as failed. Only the error's class is recorded, because messages may contain values. */
export function failSpan(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
}

/** Runs `work` inside a span that ends with it. Costs one branch if tracing is off. */
export async function withSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (!enabled) return work(undefined);
  const span = startSpan(name, options);
  try {
    return await inSpan(span, () => work(span));
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}
