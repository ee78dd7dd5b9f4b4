import { badUserInput, type GraphContext, notFound, type TypeResolvers } from '@ostiary/graph';
import { createTrustedIssuers, type SubjectMapping, type TrustedIssuer } from '../domain/trusted-issuers.ts';
import type { PeopleDependencies } from '../people.ts';
import { once, termsOf } from './idempotency.ts';
import type { AuthLoaders } from './loaders.ts';

type Context = GraphContext<AuthLoaders>;

interface CreateInput {
  name: string;
  issuer: string;
  jwks?: string | null;
  jwksUri?: string | null;
  subjectMapping?: SubjectMapping | null;
  source?: string | null;
  clientIds: readonly string[];
  scopes: readonly string[];
  idempotencyKey?: string | null;
}

/** Whose assertions about the tenant's people are accepted (RFC 7523). */
export function trustedIssuerResolvers(deps: PeopleDependencies): {
  SubjectMapping: Record<string, SubjectMapping>;
  TrustedIssuer: TypeResolvers<AuthLoaders>;
  Query: TypeResolvers<AuthLoaders>;
  Mutation: TypeResolvers<AuthLoaders>;
} {
  const issuers = createTrustedIssuers({
    database: deps.database,
    clients: deps.clients,
    grants: deps.grants,
    revocations: deps.revocations,
    issuer: deps.issuer,
    allowPrivate: deps.env.OUTGOING_ALLOW_PRIVATE,
    clock: deps.kit.clock,
  });
  return {
    SubjectMapping: { ID: 'id', USER_NAME: 'userName', EXTERNAL_ID: 'externalId', EMAIL: 'email' },
    TrustedIssuer: {
      jwks: ({ keys }: TrustedIssuer) => (keys === null ? null : JSON.stringify({ keys })),
      source: ({ subjectSource }: TrustedIssuer) => subjectSource,
    },
    Query: {
      trustedIssuers: (_parent: unknown, _args: object, { tenant }: Context) => issuers.list(tenant),
    },
    Mutation: {
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
              subjectMapping: input.subjectMapping ?? ('userName' as const),
              subjectSource: input.source ?? undefined,
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
            return { trustedIssuerId: input.id };
          },
          () => ({ trustedIssuerId: input.id }),
        );
      },
    },
  };
}

function parsedKeys(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badUserInput('"jwks" is not JSON.', { argument: 'jwks' });
  }
}
