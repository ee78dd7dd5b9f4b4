import { AccessError } from '@ostiary/access';
import { KeyReused } from '@ostiary/database';
import {
  badUserInput,
  type Conferring,
  conflict,
  insufficientUserAuthentication,
  type LoaderScope,
  notFound,
  type Resolvers,
  type TypeResolvers,
} from '@ostiary/graph';
import { OAuthError } from '../../protocol/domain/errors.ts';
import { NoSuchOwner } from '../../protocol/domain/no-such-owner.ts';
import { VersionChanged } from '../../protocol/domain/versions.ts';
import { withProblems } from './problems.ts';

/** Part of the graph that a district resolves. */
export interface GraphPart {
  resolvers: readonly Resolvers<never>[];
  /** Loaders of one request, bound to the caller's tenant. Each combines its reads into one statement. */
  loaders?: readonly ((scope: LoaderScope) => object)[];
  /**
   * Returns the scopes that a mutation confers, by the names in `@confers` of the schema. Where the result depends on
   * stored state, the transaction of the change checks it again.
   */
  rights?: Conferring<never>['rights'];
}

/** Joins the parts of all districts. */
export function joined(parts: readonly GraphPart[]) {
  const loaders = parts.flatMap((part) => part.loaders ?? []);
  return {
    resolvers: merged(parts.flatMap(({ resolvers }) => resolvers)),
    loaders: (scope: LoaderScope) => Object.assign({}, ...loaders.map((load) => load(scope))) as never,
    rights: Object.assign({}, ...parts.map(({ rights }) => rights)) as Conferring<never>['rights'],
    errors: errorOf,
  };
}

/** Merges the resolvers of all modules. Fields of one type may come from several modules. */
function merged(modules: readonly Resolvers<never>[]): Resolvers<never> {
  const all: Resolvers<never> = {};
  for (const types of modules) {
    for (const [type, fields] of Object.entries(types)) {
      const before = all[type] ?? {};
      const twice = Object.keys(fields).find((field) => Object.hasOwn(before, field));
      if (twice !== undefined) throw new Error(`${type}.${twice} is resolved by two modules.`);
      all[type] = { ...before, ...fields } as TypeResolvers<never>;
    }
  }
  return { ...all, Mutation: withProblems(all.Mutation as TypeResolvers<never>) };
}

/** Converts errors of other layers to GraphQL errors. Registration of clients reports OAuth errors. */
function errorOf(cause: unknown): ReturnType<typeof badUserInput> | undefined {
  if (cause instanceof OAuthError) return badUserInput(cause.description);
  if (cause instanceof KeyReused)
    return badUserInput('This idempotency key has already been used with a different change.', {
      argument: 'idempotencyKey',
    });
  if (cause instanceof NoSuchOwner) return notFound('The owner');
  if (cause instanceof VersionChanged)
    return conflict('The object has changed since it was read. Read it again.');
  // Insufficient authentication (RFC 9470).
  if (cause instanceof AccessError && cause.authentication)
    return insufficientUserAuthentication(cause.authentication);
  return undefined;
}
