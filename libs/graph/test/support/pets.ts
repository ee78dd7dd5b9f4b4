import type { Issuer } from '@ostiary/access/testing';
import { ServiceUnavailable } from '@ostiary/service';
import { GraphQLError } from 'graphql';
import { batchMany, batchOne, conflict, type GraphContext } from '../../src/index.ts';
import { federation, type RunningSubgraph, serveSubgraph } from './subgraph.ts';

class NameTaken extends Error {}

export const petTypes = `${federation}
scalar DateTime
type Query @scopes(user: true, any: ["all"]) {
  tenant: String
  fails: String
  leaks: String
  foreign: String
  down: String
  taken: String
  invalid: Int
  echo(at: DateTime!): DateTime
  pets: [Pet!]
  several(ids: [ID!]!): [Pet]
  growth(days: Int = 30): [Pet!]
  bounded: [Pet!] @listSize(assumedSize: 50)
  page(first: Int, after: String, last: Int): PetConnection
}
type PetConnection @scopes(inherit: true) { edges: [PetEdge!]! totalCount: Int }
type PetEdge @scopes(inherit: true) { node: Pet }
type Keeper @key(fields: "id") @scopes(user: true, any: ["all"]) { id: ID! @scopes(inherit: true) name: String }
type Pet @scopes(inherit: true) { id: ID! owner: Owner friends: [Owner!]! page(first: Int, last: Int): PetConnection
  litter(first: Int = 100): [Pet!] }
type Owner @scopes(inherit: true) { id: ID! pet: Pet }
`;

/** Tenant and keys of each call of the owners' loader. */
export const batches: (readonly string[])[] = [];
export const petLoaders = ({ tenant }: { tenant: string }) => ({
  owners: batchOne(
    async (keys) => {
      batches.push([tenant, ...keys]);
      return keys.filter((key) => key !== 'o2').map((id) => ({ id }));
    },
    (row) => row.id,
  ),
  friends: batchMany(
    async (keys) =>
      keys.flatMap((pet) =>
        pet === '1'
          ? [
              { pet, id: 'a' },
              { pet, id: 'b' },
            ]
          : [],
      ),
    (row) => row.pet,
  ),
});
type Context = GraphContext<ReturnType<typeof petLoaders>>;

export const petResolvers = {
  Query: {
    tenant: (_: unknown, __: unknown, context: Context) => context.tenant,
    fails: () => {
      throw new Error('connect ECONNREFUSED 10.0.0.3:5432 for user postgres');
    },
    leaks: () => {
      throw new GraphQLError('inside', {
        extensions: { code: 'CONFLICT', url: 'http://10.0.0.3', stacktrace: ['x'] },
      });
    },
    foreign: () => {
      throw new GraphQLError('Cannot query field "secret" at 10.0.0.3', {
        extensions: { code: 'INVALID_GRAPHQL' },
      });
    },
    down: () => {
      throw new ServiceUnavailable('directory');
    },
    taken: () => {
      throw new NameTaken('secret detail');
    },
    invalid: () => 'not a number',
    echo: (_: unknown, args: { at: Date }) => args.at,
    pets: () => [{ id: '1' }, { id: '2' }],
    several: () => [],
    growth: () => [],
    bounded: () => [],
    page: () => ({ edges: [], totalCount: 0 }),
  },
  Keeper: {
    __resolveReference: ({ id }: { id: string }, context: Context) => context.loaders.owners.load(id),
    name: () => 'Kim',
  },
  Pet: {
    owner: (pet: { id: string }, _: unknown, context: Context) => context.loaders.owners.load(`o${pet.id}`),
    friends: (pet: { id: string }, _: unknown, context: Context) => context.loaders.friends.load(pet.id),
  },
};

/** Serves a subgraph of pets, their owners and keepers. @param log receives its lines */
export const servePets = (issuer: Issuer, log: string[] = []): Promise<RunningSubgraph> =>
  serveSubgraph(
    issuer,
    {
      typeDefs: petTypes,
      resolvers: petResolvers,
      loaders: petLoaders,
      errors: (cause) => (cause instanceof NameTaken ? conflict('The name is taken.') : undefined),
    },
    { write: (line) => void log.push(line) },
  );
