import type { TokenVerifier } from '@ostiary/access';
import { insideBy, type Logger, type ServiceKit } from '@ostiary/service';
import type { FastifyInstance, FastifyPluginAsync, preHandlerAsyncHookHandler } from 'fastify';
import type { Conferring } from '../authorization/confers.ts';
import { createContext, type GraphContext, type LoaderScope } from '../context/context.ts';
import type { Resolvers } from '../context/resolvers.ts';
import type { ErrorMapping } from '../errors/mask.ts';
import { listSizesIn } from '../limits/cost.ts';
import { type DocumentLimits, documentLimits } from '../limits/document-limits.ts';
import { isNestedTooDeeply, nestedTooDeeply } from '../limits/nesting.ts';
import { AnswerBounds } from '../limits/response-size.ts';
import { createGraphServer } from './apollo-server.ts';
import { followMutations, type Writing } from './follow-mutations.ts';
import { buildGuardedSchema } from './guarded-schema.ts';
import { answer, authenticateGraph, graphErrorHandler, graphHandler, httpRequestOf } from './http.ts';
import { observeOperations } from './observe.ts';
import { completeDocument } from './type-definitions.ts';

export interface SubgraphOptions<L> {
  /** Name of the subgraph, for spans and logs. */
  name: string;
  /** The schema file's text; `@scopes` is added when the file doesn't define it. */
  typeDefs: string;
  resolvers: Resolvers<L>;
  /** Rules behind the mutations' `@confers`; without it they can confer nothing. */
  conferring?: Conferring<L>;
  /** Makes the request's loaders, bound to the caller's tenant; called once a request, on first use. */
  loaders: (scope: LoaderScope) => L;
  verifier: TokenVerifier;
  /** The audience of accepted tokens is `{publicOrigin}/t/{tenant}`. */
  publicOrigin: string;
  kit: ServiceKit;
  /** Whether introspection and `_service { sdl }` are enabled, default false. */
  introspection?: boolean;
  /** Turns domain errors into errors of the catalogue. */
  errors?: ErrorMapping;
  limits?: DocumentLimits;
  /** Notified of mutations, if a replica may answer some reads. */
  writing?: Writing | undefined;
}

/** Largest request body: the gateway sends representations of whole pages. */
const bodyLimit = 1_048_576;

/** Query plans wrap the client's selection in `_entities` and a fragment. */
const ownLimits: DocumentLimits = {
  ...documentLimits,
  depth: documentLimits.depth + 2,
  tokens: 20_000,
  aliases: 200,
  // The gateway has measured the whole operation with estimates; lists may be longer than estimated.
  cost: documentLimits.cost * 2,
};

/**
 * Serves a subgraph at `POST /graphql`. The schema is built and its rules are verified when the plugin is
 * registered.
 * @throws SchemaRuleError if a field has no rule, or a mutation does not declare the rights that it confers
 */
export function subgraphPlugin<L>(options: SubgraphOptions<L>): FastifyPluginAsync {
  const introspection = options.introspection ?? false;
  const { conferring } = options;
  const schema = buildGuardedSchema(options.typeDefs, options.resolvers, { introspection, conferring });
  const limits = options.limits ?? ownLimits;
  const server = createGraphServer<GraphContext<L>>({
    source: { schema },
    introspection,
    kit: options.kit,
    errors: options.errors,
    limits,
    listSizes: listSizesIn(completeDocument(options.typeDefs)),
    plugins: [
      // First, so that the other plugins see the resulting response.
      new AnswerBounds(schema, limits.cost),
      ...(options.writing ? [followMutations<L>(options.writing)] : []),
      observeOperations(
        { kit: options.kit, realm: options.publicOrigin, dpop: false, errors: options.errors },
        (context) => ({
          log: context.log,
          requestId: context.requestId,
          authenticated: context.principal !== undefined,
          span: context.span,
        }),
      ),
    ],
  });

  return async (app: FastifyInstance) => {
    await server.start();
    app.addHook('onClose', () => server.stop());
    app.route({
      method: 'POST',
      url: '/graphql',
      bodyLimit,
      errorHandler: graphErrorHandler,
      preHandler: [
        authenticateGraph(
          options.verifier,
          options.publicOrigin,
          options.name,
          insideBy(options.kit.neighbours),
        ),
        refuseNested,
      ],
      handler: graphHandler<GraphContext<L>>(
        (request, context) =>
          server.executeHTTPGraphQLRequest({
            httpGraphQLRequest: httpRequestOf(request),
            context: async () => context,
          }),
        (request, span) => {
          const { principal, id: requestId } = request;
          return createContext({ principal, log: request.log as Logger, requestId, span }, options.loaders);
        },
        { 'graphql.subgraph': options.name },
      ),
    });
  };
}

/** Apollo Server parses without a bound on the nesting. */
const refuseNested: preHandlerAsyncHookHandler = async ({ body }, reply) => {
  const query = (body as { query?: unknown } | null | undefined)?.query;
  if (typeof query === 'string' && isNestedTooDeeply(query)) return answer(reply, 400, nestedTooDeeply());
};
