import { isExchanged, type Principal } from '@ostiary/access';
import {
  conflict,
  forbidden,
  type GraphContext,
  notFound,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { idToLookUp, isUuid } from '@ostiary/service';
import type { ActingDependencies } from '../../../access/roles/graph/acting.ts';
import { type OnceDependencies, once } from '../../../platform/subgraph/graph/idempotency.ts';
import type { ActingToken } from '../../sessions/domain/session-store.ts';
import type { CredentialSummary } from '../domain/credential-summaries.ts';
import type { Passkeys } from '../domain/passkeys.ts';
import type { SecondFactors } from '../domain/second-factors.ts';
import type { CredentialLoaders } from './loaders.ts';

type Context = GraphContext<CredentialLoaders>;

interface FactorInput {
  userId?: string | null;
  idempotencyKey?: string | null;
}

/** Scopes of which each permits removing another user's credential. */
const helpDesk = ['users:write', 'access:write'];

const actingToken = ({ subject, subjectEpoch = -1, sessionId, grantId }: Principal): ActingToken => ({
  subjectId: subject,
  subjectEpoch,
  sessionId,
  grantId,
});

export interface CredentialDependencies extends OnceDependencies, ActingDependencies {
  secondFactors: SecondFactors;
  passkeys: Passkeys;
}

interface Owner {
  id: string;
  /** Set if the owner is the caller. */
  acting?: ActingToken;
}

/** Resolvers of credentials and their removal. */
export function credentialResolvers(deps: CredentialDependencies): {
  User: TypeResolvers<CredentialLoaders>;
  Credentials: TypeResolvers<CredentialLoaders>;
  Mutation: TypeResolvers<CredentialLoaders>;
} {
  return {
    User: {
      credentials: ({ id }: { id: string }, _args: object, { loaders }: Context) =>
        isUuid(id) ? loaders.credentials.load(id) : null,
    },
    Credentials: {
      hasPassword: ({ passwordSince }: CredentialSummary) => passwordSince !== null,
      passwordChangedAt: ({ passwordSince }: CredentialSummary) => passwordSince,
      hasAuthenticatorApp: ({ totpSince }: CredentialSummary) => totpSince !== null,
      authenticatorAppAddedAt: ({ totpSince }: CredentialSummary) => totpSince,
    },
    Mutation: credentialMutations(deps),
  };
}

function credentialMutations(deps: CredentialDependencies): TypeResolvers<CredentialLoaders> {
  /** Returns the owner of a credential that the caller may remove. @throws NOT_FOUND, FORBIDDEN */
  async function owner(userId: string | null | undefined, context: Context): Promise<Owner> {
    const principal = requirePrincipal(context);
    const id = (userId ?? (principal.kind === 'user' ? principal.subject : undefined))?.toLowerCase();
    const isOwn = principal.kind === 'user' && principal.subject === id;
    const may = isOwn || helpDesk.some((scope) => principal.scopes.has(scope));
    if (id === undefined || !may) throw notFound('The user');
    if (isOwn && isExchanged(principal)) throw forbidden();
    const known = idToLookUp(id);
    await deps.acting.requireMayActOn(context, known);
    return { id: known, ...(isOwn && { acting: actingToken(principal) }) };
  }
  return {
    async removeAuthenticatorApp(_parent: unknown, { input }: { input: FactorInput }, context: Context) {
      const { id, acting } = await owner(input.userId, context);
      return once(
        deps,
        context,
        'removeAuthenticatorApp',
        input,
        async (claim) => {
          if (!(await deps.secondFactors.removeTotp(context.tenant, id, acting, claim)))
            throw notFound('The authenticator app');
          return { user: { id } };
        },
        () => ({ user: { id } }),
      );
    },
    async removePasskey(
      _parent: unknown,
      { input }: { input: FactorInput & { id: string } },
      context: Context,
    ) {
      const { id, acting } = await owner(input.userId, context);
      return once(
        deps,
        context,
        'removePasskey',
        input,
        async (claim) => {
          const removal = await deps.passkeys.remove(context.tenant, id, input.id, acting, claim);
          if (removal === 'needed')
            throw conflict('It is the only credential of the user; reset the access of the user instead.');
          if (removal === 'missing') throw notFound('The passkey');
          return { id: input.id, passkeyId: input.id, user: { id } };
        },
        () => ({ id: input.id, passkeyId: input.id, user: { id } }),
      );
    },
  };
}
