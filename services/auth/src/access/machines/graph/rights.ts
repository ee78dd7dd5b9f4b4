import { type Conferring, type GraphContext, requirePrincipal } from '@ostiary/graph';
import type { ServiceAccounts } from '../domain/service-accounts.ts';
import { mayMakeTokens } from './personal-access-tokens.ts';

type Context = GraphContext<unknown>;
type Input<T> = { input: T };
type Scopes = readonly string[] | null | undefined;

interface AccountDependencies {
  serviceAccounts: ServiceAccounts;
}

/** Returns the scopes of a service account, which the holder of one of its credentials has. */
export const accountScopes = async (
  { serviceAccounts }: AccountDependencies,
  id: string,
  { tenant }: Context,
): Promise<readonly string[]> => (await serviceAccounts.find(tenant, id))?.scopes ?? [];

/** Rights that credentials of service accounts and personal access tokens confer (`@confers`). */
export const machineRights = (deps: AccountDependencies): Conferring<unknown>['rights'] => ({
  serviceAccount: async (
    { input }: Input<{ id?: string; scopes?: Scopes; disabled?: boolean | null }>,
    context: Context,
  ) => {
    const { id, scopes, disabled } = input;
    if (id === undefined || scopes) return scopes ?? [];
    // Enabling restores all access of the account. Other changes confer nothing.
    return disabled === false ? accountScopes(deps, id, context) : undefined;
  },
  apiKey: async ({ input }: Input<{ serviceAccountId: string; scopes?: Scopes }>, context: Context) =>
    input.scopes ?? (await accountScopes(deps, input.serviceAccountId, context)),
  serviceAccountKey: ({ input }: Input<{ serviceAccountId: string }>, context: Context) =>
    accountScopes(deps, input.serviceAccountId, context),
  /**
   * The scopes are a subset of those of the calling token, so nothing exceeds them. Undefined for a caller that may not
   * create tokens: the mutation rejects it, however recent its sign-in is.
   */
  personalAccessToken: (_args: object, context: Context) =>
    mayMakeTokens(requirePrincipal(context)) ? [] : undefined,
});
