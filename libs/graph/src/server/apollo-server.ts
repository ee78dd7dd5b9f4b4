import {
  ApolloServer,
  type ApolloServerOptions,
  type ApolloServerPlugin,
  type BaseContext,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { ServiceKit } from '@ostiary/service';
import { type GraphQLSchema, parse, type ValidationRule } from 'graphql';
import { type ErrorMapping, maskError } from '../errors/mask.ts';
import { type ListSizes, limitCost, type Spend } from '../limits/cost.ts';
import { type DocumentLimits, documentLimits, limitDocument } from '../limits/document-limits.ts';
import { costlyToValidate, tooCostlyToValidate } from '../limits/validation-cost.ts';

type Gateway = NonNullable<ApolloServerOptions<BaseContext>['gateway']>;

/** Storage of automatic persisted queries, with their TTL in seconds. */
export type PersistedQueries = Exclude<
  ApolloServerOptions<BaseContext>['persistedQueries'],
  false | undefined
>;

export interface GraphServerOptions<C extends BaseContext> {
  /** Exactly one: a schema to execute, or a gateway that plans across others. */
  source: { schema: GraphQLSchema } | { gateway: Gateway };
  introspection: boolean;
  kit: Pick<ServiceKit, 'log'>;
  plugins: ApolloServerPlugin<C>[];
  errors?: ErrorMapping | undefined;
  limits?: DocumentLimits;
  /** Apollo's check for browser requests that skip the preflight; see `refuseSimplePosts` for the alternative. */
  csrfPrevention?: boolean;
  /** Storage of automatic persisted queries; without it they are rejected. */
  persistedQueries?: PersistedQueries | undefined;
  /** Sizes of lists that the schema does not determine (see `listSizesIn`). */
  listSizes?: ListSizes;
  /** Charges callers for the cost of their operations. */
  spend?: Spend<C>;
}

/** Creates an Apollo Server without any feature that discloses internals. */
export function createGraphServer<C extends BaseContext>(options: GraphServerOptions<C>): ApolloServer<C> {
  const limits = options.limits ?? documentLimits;
  return new ApolloServer<C>({
    ...(options.source as { schema: GraphQLSchema }),
    introspection: options.introspection,
    hideSchemaDetailsFromClientErrors: !options.introspection,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: options.csrfPrevention ?? true,
    // The process stops its parts in its own order.
    stopOnTerminationSignals: false,
    persistedQueries: options.persistedQueries ?? false,
    cache: 'bounded',
    parseOptions: { maxTokens: limits.tokens },
    validationRules: [limitDocument(limits), refuseReplaced],
    // Each error includes suggestions, whose computation searches the whole schema.
    validationOptions: { maxErrors: 20 },
    maxRecursiveSelections: true,
    formatError: maskError(options.errors),
    logger: apolloLog(options.kit),
    nodeEnv: 'production',
    plugins: [
      lookBeforeValidation,
      // Responses are never cacheable (see `graphHandler`), and the plugin would observe every field to
      // determine that.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      // The landing page loads scripts from an external host.
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      limitCost(limits.cost, options),
      ...options.plugins,
    ],
  });
}

/** Replaces a document that would be too expensive to validate, so that it is not processed further. */
const replacement = parse('{ __typename }', { noLocation: true });

/** Counts the comparisons of validation before it runs, because they determine its cost. */
const lookBeforeValidation: ApolloServerPlugin = {
  async requestDidStart() {
    return {
      async validationDidStart(context) {
        if (costlyToValidate(context.document)) Object.assign(context, { document: replacement });
      },
    };
  },
};

const refuseReplaced: ValidationRule = (context) => {
  if (context.getDocument() === replacement) context.reportError(tooCostlyToValidate());
  return {};
};

function apolloLog({ log }: Pick<ServiceKit, 'log'>) {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message?: unknown) =>
    message instanceof Error ? log[level]({ err: message }, 'graph') : log[level](String(message));
  return { debug: write('debug'), info: write('debug'), warn: write('warn'), error: write('error') };
}
