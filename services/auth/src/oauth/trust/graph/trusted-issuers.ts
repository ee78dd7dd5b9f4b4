import {
  badUserInput,
  conflict,
  countedPageById,
  type DataLoader,
  type GraphContext,
  type LoaderScope,
  notFound,
  type PagingArguments,
  pageOfList,
  requireConferrable,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { rolesGivableWith, scopesToActOn } from '../../../access/index.ts';
import { filterOf, type Given } from '../../../platform/subgraph/graph/filters.ts';
import { type OnceDependencies, once, termsOf } from '../../../platform/subgraph/graph/idempotency.ts';
import { byId, type Reference } from '../../../platform/subgraph/graph/references.ts';
import type { Subjects } from '../../../tenancy/index.ts';
import type { IssuerSubject, IssuerSubjectFilter } from '../domain/issuer-subject.ts';
import { SubjectTaken } from '../domain/issuer-subject-store.ts';
import type { IssuerSubjects } from '../domain/issuer-subjects.ts';
import type { TrustedIssuer } from '../domain/trusted-issuer-store.ts';
import type { TrustedIssuers } from '../domain/trusted-issuers.ts';

type Context = GraphContext<TrustedIssuerLoaders>;

interface CreateInput {
  name: string;
  issuer: string;
  jwks?: string | null;
  jwksUri?: string | null;
  clientIds: readonly string[];
  scopes: readonly string[];
  idempotencyKey?: string | null;
}

interface BindInput {
  trustedIssuerId: string;
  subject: string;
  userId: string;
  idempotencyKey?: string | null;
}

export interface TrustedIssuerDependencies extends OnceDependencies {
  trustedIssuers: TrustedIssuers;
  issuerSubjects: IssuerSubjects;
  subjects: Subjects;
}

export interface TrustedIssuerLoaders {
  trustedIssuersById: DataLoader<string, TrustedIssuer | null>;
}

export const trustedIssuerLoaders =
  ({ trustedIssuers }: TrustedIssuerDependencies) =>
  ({ tenant }: LoaderScope): TrustedIssuerLoaders => ({
    // Loads all: a tenant has few issuers.
    trustedIssuersById: byId(() => trustedIssuers.list(tenant)),
  });

/** Resolvers of trusted issuers (RFC 7523) and their bound subjects. */
export function trustedIssuerResolvers(deps: TrustedIssuerDependencies): {
  TrustedIssuer: TypeResolvers<TrustedIssuerLoaders>;
  IssuerSubject: TypeResolvers<TrustedIssuerLoaders>;
  Query: TypeResolvers<TrustedIssuerLoaders>;
  Mutation: TypeResolvers<TrustedIssuerLoaders>;
} {
  return {
    TrustedIssuer: {
      __resolveReference: ({ id }: Reference, { loaders }: Context) => loaders.trustedIssuersById.load(id),
      jwks: ({ keys }: TrustedIssuer) => (keys === null ? null : JSON.stringify({ keys })),
    },
    IssuerSubject: {
      user: ({ subjectId }: IssuerSubject) => ({ id: subjectId }),
    },
    Query: issuerQueries(deps),
    Mutation: { ...issuerMutations(deps), ...bindingMutations(deps) },
  };
}

function issuerMutations(deps: TrustedIssuerDependencies): TypeResolvers<TrustedIssuerLoaders> {
  const { trustedIssuers: issuers } = deps;
  return {
    createTrustedIssuer(_parent: unknown, { input }: { input: CreateInput }, context: Context) {
      const { tenant } = context;
      return once(
        deps,
        context,
        'createTrustedIssuer',
        input,
        async (claim) => {
          const asked = {
            name: input.name,
            issuer: input.issuer,
            ...(typeof input.jwks === 'string' && { jwks: parsedKeys(input.jwks) }),
            jwksUri: input.jwksUri ?? undefined,
            clientIds: input.clientIds,
            scopes: input.scopes,
          };
          return { trustedIssuer: await issuers.create(tenant, asked, claim) };
        },
        async (id) => ({
          trustedIssuer: (await issuers.list(tenant)).find((issuer) => issuer.id === id) ?? null,
        }),
      );
    },
    deleteTrustedIssuer(
      _parent: unknown,
      { input }: { input: { id: string; version?: number | null; idempotencyKey?: string | null } },
      context: Context,
    ) {
      return once(
        deps,
        context,
        'deleteTrustedIssuer',
        input,
        async (claim) => {
          if (!(await issuers.remove(context.tenant, input.id, termsOf(input, claim))))
            throw notFound('The trusted issuer');
          return { id: input.id, trustedIssuerId: input.id };
        },
        () => ({ id: input.id, trustedIssuerId: input.id }),
      );
    },
  };
}

function bindingMutations(deps: TrustedIssuerDependencies): TypeResolvers<TrustedIssuerLoaders> {
  const { issuerSubjects: bindings } = deps;
  /** Returns the binding created by an earlier request; null when it was deleted since. */
  const boundAs = async (tenant: string, id: string): Promise<IssuerSubject | null> =>
    (await bindings.page(tenant, { id }, { limit: 1, direction: 'forward' }))[0] ?? null;
  return {
    async bindIssuerSubject(_parent: unknown, { input }: { input: BindInput }, context: Context) {
      const { tenant } = context;
      const { trustedIssuerId, subject, userId } = input;
      const person = await deps.subjects.find(tenant, userId);
      if (!person) throw notFound('The user');
      const mayBind = (roles: readonly string[]) =>
        requireConferrable(requirePrincipal(context), scopesToActOn(roles));
      return once(
        deps,
        context,
        'bindIssuerSubject',
        input,
        async (claim) => {
          const carriedRoles = rolesGivableWith(requirePrincipal(context).scopes);
          const asked = { trustedIssuerId, subject, subjectId: person.id, carriedRoles };
          try {
            const issuerSubject = await bindings.bind(tenant, asked, mayBind, claim);
            if (!issuerSubject) throw notFound('The trusted issuer');
            return { issuerSubject };
          } catch (error) {
            if (error instanceof SubjectTaken)
              throw conflict('This subject of the issuer is already bound to a user.');
            throw error;
          }
        },
        async (id) => ({ issuerSubject: await boundAs(tenant, id) }),
      );
    },
    unbindIssuerSubject(
      _parent: unknown,
      { input }: { input: { id: string; idempotencyKey?: string | null } },
      context: Context,
    ) {
      return once(
        deps,
        context,
        'unbindIssuerSubject',
        input,
        async (claim) => {
          if (!(await bindings.unbind(context.tenant, input.id, claim))) throw notFound('The binding');
          return { id: input.id, issuerSubjectId: input.id };
        },
        () => ({ id: input.id, issuerSubjectId: input.id }),
      );
    },
  };
}

function issuerQueries(deps: TrustedIssuerDependencies): TypeResolvers<TrustedIssuerLoaders> {
  const { trustedIssuers: issuers, issuerSubjects: bindings } = deps;
  return {
    issuerSubjects(
      _parent: unknown,
      { filter: given, ...input }: PagingArguments & { filter?: Given<IssuerSubjectFilter> | null },
      { tenant }: Context,
    ) {
      const filter = filterOf<IssuerSubjectFilter>(given);
      return countedPageById(input, {
        kind: 'issuer-subject',
        rows: (page) => bindings.page(tenant, filter, page),
        total: () => bindings.count(tenant, filter),
      });
    },
    trustedIssuers: (_parent: unknown, _args: object, { tenant }: Context) => issuers.list(tenant),
    trustedIssuersConnection: async (_parent: unknown, input: PagingArguments, { tenant }: Context) =>
      pageOfList(input, {
        kind: 'trusted-issuer',
        list: await issuers.list(tenant),
        keyOf: ({ id }) => id,
      }),
  };
}

function parsedKeys(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badUserInput('"jwks" must be JSON.', { argument: 'jwks' });
  }
}
