import {
  boundedPageById,
  type GraphContext,
  type PagingArguments,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { filterOf, type Given } from '../../../platform/subgraph/graph/filters.ts';
import type { Reference } from '../../../platform/subgraph/graph/references.ts';
import type {
  AttemptOutcome,
  AttemptReason,
  SignInAttempt,
  SignInAttemptFilter,
  SignInAttemptReader,
} from '../domain/sign-in-attempts.ts';
import type { SignInAttemptLoaders } from './loaders.ts';

type Context = GraphContext<SignInAttemptLoaders>;
type Fields = TypeResolvers<SignInAttemptLoaders>;

/** Resolvers of sign-in attempts of a tenant and of each user. */
export function signInAttemptResolvers({ signInAttempts }: { signInAttempts: SignInAttemptReader }): {
  User: Fields;
  SignInAttempt: Fields;
  Query: Fields;
} {
  const page = (input: PagingArguments, filter: SignInAttemptFilter, tenant: string) =>
    boundedPageById(input, {
      kind: 'sign-in-attempt',
      rows: (stretch) => signInAttempts.page(tenant, filter, stretch),
      count: () => signInAttempts.count(tenant, filter),
    });
  const visible = async (id: string, context: Context): Promise<SignInAttempt | null> => {
    const { scopes, kind, subject } = requirePrincipal(context);
    const found = await context.loaders.signInAttempts.load(id);
    const isOwn = kind === 'user' && found?.subjectId === subject;
    return scopes.has('audit:read') || isOwn ? found : null;
  };
  return {
    User: {
      signInAttempts: (
        { id }: Reference,
        { filter, ...input }: PagingArguments & { filter?: Given<SignInAttemptFilter> | null },
        { tenant }: Context,
      ) => page(input, { ...filterFrom(filter), userId: id }, tenant),
    },
    SignInAttempt: {
      __resolveReference: ({ id }: Reference, context: Context) => visible(id, context),
      outcome: ({ outcome }: SignInAttempt) => outcome.toUpperCase(),
      reason: ({ reason }: SignInAttempt) => reason?.toUpperCase() ?? null,
      factors: ({ factors }: SignInAttempt) => factors.map((factor) => factor.toUpperCase()),
      user: ({ subjectId }: SignInAttempt) => subjectId && { id: subjectId },
    },
    Query: {
      signInAttempt: (_parent: unknown, { id }: Reference, context: Context) => visible(id, context),
      signInAttempts: (
        _parent: unknown,
        { filter, ...input }: PagingArguments & { filter?: Given<SignInAttemptFilter> | null },
        { tenant }: Context,
      ) => page(input, filterFrom(filter), tenant),
    },
  };
}

/** Converts the enum values of the graph to the stored ones. */
function filterFrom(given: Given<SignInAttemptFilter> | null | undefined): SignInAttemptFilter {
  const { outcome, reason, ...filter } = filterOf<SignInAttemptFilter>(given);
  return {
    ...filter,
    ...(outcome && { outcome: outcome.toLowerCase() as AttemptOutcome }),
    ...(reason && { reason: reason.toLowerCase() as AttemptReason }),
  };
}
