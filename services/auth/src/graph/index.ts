import { readFileSync } from 'node:fs';
import { badUserInput, subgraphPlugin } from '@ostiary/graph';
import type { FastifyPluginAsync } from 'fastify';
import { OAuthError } from '../domain/errors.ts';
import type { PeopleDependencies } from '../people.ts';
import { clientResolvers } from './clients.ts';
import { type AuthLoaders, authLoaders } from './loaders.ts';
import { peopleResolvers } from './people.ts';

export const typeDefs = readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8');

/** This service's part of the graph, at POST /graphql. */
export function authSubgraph(deps: PeopleDependencies): FastifyPluginAsync {
  const people = peopleResolvers(deps);
  const clients = clientResolvers(deps);
  return subgraphPlugin<AuthLoaders>({
    name: 'auth',
    typeDefs,
    resolvers: { ...people, ...clients, Mutation: { ...people.Mutation, ...clients.Mutation } },
    loaders: authLoaders(deps),
    // What a client may register is decided in OAuth's words.
    errors: (cause) => (cause instanceof OAuthError ? badUserInput(cause.description) : undefined),
    verifier: deps.verifier,
    publicOrigin: deps.env.PUBLIC_ORIGIN,
    kit: deps.kit,
    introspection: deps.env.NODE_ENV !== 'production',
  });
}
