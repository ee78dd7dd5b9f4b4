import { conflict, type GraphContext, notFound, requirePrincipal, type TypeResolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { CredentialSummary } from '../data/administration.ts';
import { requireRecentSignIn } from '../domain/recent-sign-in.ts';
import type { PeopleDependencies } from '../people.ts';
import { requireMayActOn } from './acting.ts';
import type { AuthLoaders } from './loaders.ts';

type Context = GraphContext<AuthLoaders>;

/** With which a caller may take away somebody's way to sign in; each of them alone. */
const helpDesk = ['users:write', 'access:write'];

/** How people sign in, and taking a way of theirs away. */
export function credentialResolvers(deps: PeopleDependencies): {
  User: TypeResolvers<AuthLoaders>;
  Credentials: TypeResolvers<AuthLoaders>;
  Mutation: TypeResolvers<AuthLoaders>;
} {
  /** Whose factor it is, if the caller may take it away. @throws NOT_FOUND, FORBIDDEN */
  async function owner(userId: string | null | undefined, context: Context): Promise<string> {
    const principal = requirePrincipal(context);
    const id = (userId ?? (principal.kind === 'user' ? principal.subject : undefined))?.toLowerCase();
    const isOwn = principal.kind === 'user' && principal.subject === id;
    const may = isOwn || helpDesk.some((scope) => principal.scopes.has(scope));
    if (id === undefined || !may || !isUuid(id)) throw notFound('The user');
    // A stolen token of an old sign-in must not be able to make the next one easier.
    await requireRecentSignIn(deps, principal);
    await requireMayActOn(deps, context, id);
    return id;
  }
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
    Mutation: {
      async removeAuthenticatorApp(
        _parent: unknown,
        { input: { userId } }: { input: { userId?: string | null } },
        context: Context,
      ) {
        const id = await owner(userId, context);
        if (!(await deps.secondFactors.removeTotp(context.tenant, id)))
          throw notFound('The authenticator app');
        return { user: { id } };
      },
      async removePasskey(
        _parent: unknown,
        { input }: { input: { userId?: string | null; id: string } },
        context: Context,
      ) {
        const id = await owner(input.userId, context);
        const removal = await deps.passkeys.remove(context.tenant, id, input.id);
        if (removal === 'needed')
          throw conflict('It is the only way to sign in; reset the person’s access instead.');
        if (removal === 'missing') throw notFound('The passkey');
        return { passkeyId: input.id, user: { id } };
      },
    },
  };
}
