import type { ApolloServerPlugin, GraphQLRequestContext } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { graphResource, invalidToken, missingToken, resourceMetadataUrl } from '@ostiary/access';
import {
  Counter,
  Histogram,
  isUnavailable,
  type Logger,
  type Registry,
  type ServiceKit,
} from '@ostiary/service';
import type { GraphQLError, GraphQLFormattedError, OperationDefinitionNode } from 'graphql';
import type { OperationSpan } from '../context/context.ts';
import { type ErrorMapping, isShownCode } from '../errors/mask.ts';
import { needsAuthentication } from './http.ts';

/** Data of a request that the plugin needs, independent of the rest of its context. */
export interface ObservedContext {
  readonly log: Logger;
  readonly requestId: string;
  /** Whether the request had a token. */
  readonly authenticated: boolean;
  readonly span: OperationSpan;
  /** Tenant of the graph's URL. */
  readonly addressed?: string | undefined;
  /** Start of processing (`performance.now()`), if it was before Apollo Server. */
  readonly startedAt?: number;
}

/** Realm of the `WWW-Authenticate` challenge, and where figures go. */
export interface ObserveOptions {
  kit: Pick<ServiceKit, 'metrics'>;
  realm: string;
  /** Whether tokens bound to a key are supported. */
  dpop: boolean;
  /** Maps domain errors that are expected responses, and therefore not logged. */
  errors?: ErrorMapping | undefined;
}

/**
 * Records every operation: duration by type and outcome, number of errors by code, the cause of masked errors
 * in the log, and HTTP 401 with a challenge if a token is required.
 */
export function observeOperations<C extends object>(
  options: ObserveOptions,
  observed: (context: C) => ObservedContext,
): ApolloServerPlugin<C> {
  return operationObserver(options, observed).plugin;
}

/** Observation of operations that are answered without Apollo Server. */
export interface OperationObserver<C extends object> {
  readonly plugin: ApolloServerPlugin<C>;
  /** Notes an operation that was answered with data and no errors. */
  answered(context: C, named: NamedOperation, startedAt: number): void;
}

interface NamedOperation {
  operation?: OperationDefinitionNode | undefined;
  operationName?: string | null | undefined;
}

/** Returns `observeOperations` for servers that answer some operations themselves. */
export function operationObserver<C extends object>(
  options: ObserveOptions,
  observed: (context: C) => ObservedContext,
): OperationObserver<C> {
  const { duration, failures } = operationMetrics(options.kit.metrics);
  const describe = (context: C, { operation, operationName }: NamedOperation): void => {
    observed(context).span?.setAttributes({
      ...(operation ? { 'graphql.operation.type': operation.operation } : {}),
      ...(operationName ? { 'graphql.operation.name': operationName } : {}),
    });
  };
  // Operation names come from clients: as a label they would grow without bound.
  const note = (operation: OperationDefinitionNode | undefined, outcome: string, startedAt: number): void =>
    duration.observe(
      { type: operation?.operation ?? 'invalid', outcome },
      (performance.now() - startedAt) / 1000,
    );
  const plugin: ApolloServerPlugin<C> = {
    async requestDidStart({ contextValue: begun }) {
      const { startedAt = performance.now() } = observed(begun);
      return {
        async didResolveOperation({ operation, operationName, contextValue }) {
          describe(contextValue, { operation, operationName });
        },
        async didEncounterErrors({ errors, contextValue, operationName }) {
          for (const error of errors)
            logUnexpected(observed(contextValue), error, operationName, options.errors);
        },
        async willSendResponse(request) {
          const errors = errorsOf(request);
          const context = observed(request.contextValue);
          for (const error of errors) {
            const code = String(error.extensions?.code ?? 'INTERNAL_SERVER_ERROR');
            failures.inc({ code });
            if (code === 'INTERNAL_SERVER_ERROR' && error.extensions)
              error.extensions.requestId = context.requestId;
          }
          if (needsAuthentication(errors)) challenge(request, options, context);
          note(request.operation, outcomeOf(request, errors), startedAt);
        },
      };
    },
  };
  return {
    plugin,
    answered(context, named, startedAt) {
      describe(context, named);
      note(named.operation, 'ok', startedAt);
    },
  };
}

function operationMetrics(registry: Registry) {
  return {
    duration: new Histogram({
      name: 'graphql_operation_duration_seconds',
      help: 'Seconds to execute a GraphQL operation, by type and outcome (ok, partial, failed)',
      labelNames: ['type', 'outcome'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers: [registry],
    }),
    failures: new Counter({
      name: 'graphql_errors_total',
      help: 'Number of errors in GraphQL responses, by extensions.code',
      labelNames: ['code'] as const,
      registers: [registry],
    }),
  };
}

type AnyRequest = Pick<GraphQLRequestContext<object>, 'response' | 'operation'>;

function errorsOf({ response }: AnyRequest): readonly { extensions?: Record<string, unknown> }[] {
  return response.body?.kind === 'single'
    ? ((response.body.singleResult.errors ?? []) as readonly (GraphQLFormattedError & {
        extensions?: Record<string, unknown>;
      })[])
    : [];
}

function outcomeOf({ response }: AnyRequest, errors: readonly unknown[]): string {
  if (errors.length === 0) return 'ok';
  const data = response.body?.kind === 'single' ? response.body.singleResult.data : undefined;
  return data ? 'partial' : 'failed';
}

/** RFC 6750 §3: no error code when the request brought no token, `invalid_token` when it brought one. */
function challenge(
  { response }: AnyRequest,
  { realm, dpop }: ObserveOptions,
  { authenticated, addressed }: ObservedContext,
): void {
  response.http.status = 401;
  const error = authenticated ? invalidToken() : missingToken();
  const resource = resourceMetadataUrl(graphResource(realm, addressed));
  response.http.headers.set(
    'www-authenticate',
    error.wwwAuthenticate(realm, { dpop, resourceMetadata: resource }),
  );
}

function logUnexpected(
  context: ObservedContext,
  error: GraphQLError,
  operationName: string | null | undefined,
  mapping: ErrorMapping | undefined,
): void {
  // Errors of the catalogue are answers, not failures.
  if (isShownCode(error.extensions.code)) return;
  const cause = unwrapResolverError(error);
  if (mapping?.(cause)) return;
  const line = { requestId: context.requestId, path: error.path, operation: operationName, err: cause };
  if (isUnavailable(cause))
    context.log.warn({ event: 'graph.field_unavailable', ...line }, 'Graph field unavailable');
  else context.log.error({ event: 'graph.field_failed', ...line }, 'Graph field failed');
}
