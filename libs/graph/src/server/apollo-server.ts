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

/** Where automatic persisted queries are kept, and for how long (seconds). */
export type PersistedQueries = Exclude<
  ApolloServerOptions<BaseContext>['persistedQueries'],
  false | undefined
>;

export interface GraphServerOptions<C extends BaseContext> {
  /** Exactly one of the two: a schema to execute, or a gateway that plans over others. */
  source: { schema: GraphQLSchema } | { gateway: Gateway };
  introspection: boolean;
  kit: Pick<ServiceKit, 'log'>;
  plugins: ApolloServerPlugin<C>[];
  errors?: ErrorMapping | undefined;
  limits?: DocumentLimits;
  /** Apollo's check for browser requests that skip the preflight; see `refuseSimplePosts` for the alternative. */
  csrfPrevention?: boolean;
  /** Where automatic persisted queries are kept; without it they are refused. */
  persistedQueries?: PersistedQueries | undefined;
  /** How long lists are of which the schema alone doesn't say it (see `listSizesIn`). */
  listSizes?: ListSizes;
  /** Charges callers for what their operations cost. */
  spend?: Spend<C>;
}

/** An Apollo Server with everything that talks to outsiders about the inside switched off. */
export function createGraphServer<C extends BaseContext>(options: GraphServerOptions<C>): ApolloServer<C> {
  const limits = options.limits ?? documentLimits;
  return new ApolloServer<C>({
    ...(options.source as { schema: GraphQLSchema }),
    introspection: options.introspection,
    hideSchemaDetailsFromClientErrors: !options.introspection,
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    csrfPrevention: options.csrfPrevention ?? true,
    // The process has its own order of stopping.
    stopOnTerminationSignals: false,
    persistedQueries: options.persistedQueries ?? false,
    cache: 'bounded',
    parseOptions: { maxTokens: limits.tokens },
    validationRules: [limitDocument(limits), refuseReplaced],
    // Each comes with suggestions, for which the whole schema is gone through.
    validationOptions: { maxErrors: 20 },
    maxRecursiveSelections: true,
    formatError: maskError(options.errors),
    logger: apolloLog(options.kit),
    nodeEnv: 'production',
    plugins: [
      lookBeforeValidation,
      // Nothing here may be cached (see `graphHandler`), and it would watch every field being resolved to find that out.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      // It loads scripts from a foreign host.
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      limitCost(limits.cost, options),
      ...options.plugins,
    ],
  });
}

/** Stands for a document that would cost too much to validate: nothing of that one is looked at any more. */
const replacement = parse('{ __typename }', { noLocation: true });

/** Validation costs what a document makes it compare, so that is counted first. */
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
