import { type Conferring, type GraphContext, requirePrincipal } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { mayMakeTokens } from '../access/machines/graph/personal-access-tokens.ts';
import type { OwnedKind } from '../access/ownership/domain/credential-owner.ts';
import type { RoleDirectory } from '../access/roles/domain/role-sources.ts';
import { type Role, scopesToActOn, scopesToGive, signInScopes } from '../access/roles/domain/roles.ts';
import type { ClientKind } from '../clients/domain/client-kinds.ts';
import { conferredByClient } from '../clients/domain/conferral/client-conferral.ts';
import { signInTerms } from '../identity/sign-in/domain/recent-sign-in.ts';
import { readingScopeOf } from '../tenancy/events/domain/event-scopes.ts';
import type { FactType } from '../tenancy/events/domain/facts.ts';
import type { Dependencies } from './dependencies.ts';
import type { AuthLoaders } from './loaders.ts';

type Context = GraphContext<AuthLoaders>;
type Input<T> = { input: T };
type Scopes = readonly string[] | null | undefined;

/**
 * Returns the scopes that each mutation of this subgraph confers, by the names in `@confers` of the schema. Where the
 * result depends on stored state, the transaction of the change checks it again.
 */
export function authConferring(deps: GraphDependencies): Conferring<AuthLoaders> {
  return {
    signInTerms: (principal) => signInTerms(deps, principal),
    rights: { ...rightsOfPrograms(deps), ...rightsOfPeople(deps), ...rightsOfReceivers },
  };
}

/**
 * Returns the scopes that a client confers as an identity source: those of the groups that identity sources may manage.
 * Only the provisioning service stores whether a client with `scim:write` belongs to a connector.
 */
async function givenAsSource(
  roles: RoleDirectory,
  tenant: string,
  scopes: readonly string[],
): Promise<string[]> {
  return scopes.includes('scim:write') ? scopesToActOn(await roles.givenBySources(tenant)) : [];
}

/** Fields of a client input that affect its rights. */
interface ClientChange {
  id?: string;
  scopes?: Scopes;
  requireConsent?: boolean | null;
  grantTypes?: readonly string[] | null;
  kind?: ClientKind | null;
}

/** Clients of these kinds do not use the authorization endpoint unless their grant types say so. */
const grantsOfKind = (kind: ClientKind | null | undefined): readonly string[] | undefined =>
  kind === 'machine' || kind === 'device' ? [] : undefined;

type GraphDependencies = Dependencies & { roleDirectory: RoleDirectory };
type Rights = Conferring<AuthLoaders>['rights'];

/** Rights that credentials of programs confer. */
function rightsOfPrograms(deps: GraphDependencies): Rights {
  const accountScopes = async (id: string, { tenant }: Context): Promise<readonly string[]> =>
    (await deps.serviceAccounts.find(tenant, id))?.scopes ?? [];
  return {
    /** The holder of a client's secret or key, and the receiver of its codes, has all rights of the client. */
    client: async ({ input }: Input<ClientChange>, { tenant }: Context) => {
      const before = input.id === undefined ? null : await deps.clients.find(tenant, input.id);
      const after = {
        scopes: input.scopes ? apart(input.scopes) : (before?.scopes ?? []),
        requireConsent: input.requireConsent ?? before?.requireConsent ?? true,
        grantTypes: input.grantTypes ?? before?.grantTypes ?? grantsOfKind(input.kind),
      };
      return [
        ...conferredByClient(after),
        ...(before ? conferredByClient(before) : []),
        ...(before ? await givenAsSource(deps.roleDirectory, tenant, before.scopes) : []),
      ];
    },
    /** The holder of the token registers clients with these scopes. */
    registration: ({ input: { scopes } }: Input<{ scopes?: Scopes }>) => apart(scopes),
    serviceAccount: async (
      { input }: Input<{ id?: string; scopes?: Scopes; disabled?: boolean | null }>,
      context: Context,
    ) => {
      const { id, scopes, disabled } = input;
      if (id === undefined || scopes) return scopes ?? [];
      // Enabling restores all access of the account. Other changes confer nothing.
      return disabled === false ? accountScopes(id, context) : undefined;
    },
    /** The new owner decides when the credential ends, and is accountable for it. */
    credential: async ({ input: { kind, id } }: Input<{ kind: OwnedKind; id: string }>, context: Context) => {
      if (kind === 'client') {
        const client = await deps.clients.find(context.tenant, id);
        return client ? conferredByClient(client) : [];
      }
      if (kind === 'service_account') return accountScopes(id, context);
      return (await context.loaders.apiKeysById.load(id))?.scopes ?? [];
    },
    apiKey: async ({ input }: Input<{ serviceAccountId: string; scopes?: Scopes }>, context: Context) =>
      input.scopes ?? (await accountScopes(input.serviceAccountId, context)),
    serviceAccountKey: ({ input }: Input<{ serviceAccountId: string }>, context: Context) =>
      accountScopes(input.serviceAccountId, context),
    /**
     * The scopes are a subset of those of the calling token, so nothing exceeds them. Undefined for a caller that may
     * not create tokens: the mutation rejects it, however recent its sign-in is.
     */
    personalAccessToken: (_args: object, context: Context) =>
      mayMakeTokens(requirePrincipal(context)) ? [] : undefined,
  };
}

/** Rights that changes of users confer. */
function rightsOfPeople(deps: GraphDependencies): Rights {
  return {
    role: ({ input }: Input<{ role: Role }>) => scopesToGive(input.role),
    /** The owner of a sign-in method for a user has all rights of the user. */
    signInOfPerson: async ({ input: { userId } }: Input<{ userId?: string | null }>, context: Context) => {
      const { tenant, kind, subject, scopes } = requirePrincipal(context);
      const isOwn =
        userId === null || userId === undefined || (kind === 'user' && subject === userId.toLowerCase());
      // Callers without these scopes get the same result for every user.
      if (isOwn || !isUuid(userId) || !signInScopes.some((scope) => scopes.has(scope))) return [];
      const held = await deps.roleDirectory.of(tenant, [userId]);
      return [...held.values()].flatMap(scopesToActOn);
    },
    /** The issuer of statements about a user has the rights of the user and can change the user's sign-in. */
    wordAboutPerson: async ({ input: { userId } }: Input<{ userId: string }>, { tenant }: Context) => {
      const held = isUuid(userId) ? [...(await deps.roleDirectory.of(tenant, [userId])).values()] : [];
      return ['users:write', ...held.flat().flatMap((role) => scopesToActOn([role]))];
    },
    /** A trusted issuer can assert every user that is bound to it. Binding a user is conferred separately. */
    wordOfIssuer: ({ input }: Input<{ scopes: readonly string[] }>) => [
      ...input.scopes,
      'roles:write',
      'users:write',
    ],
  };
}

/** Rights of receivers of events. */
const rightsOfReceivers: Rights = {
  /** A receiver reads the events for the lifetime of the webhook. */
  eventsSent: ({
    input: { types, endpoint, status, name },
  }: Input<{
    types?: readonly FactType[] | null;
    endpoint?: string | null;
    status?: string | null;
    name?: string | null;
  }>) => {
    const isRenamed = typeof name === 'string' && !types && !endpoint && !status;
    return isRenamed ? undefined : (types ?? []).map(readingScopeOf);
  },
  /** The secret signs messages and reads nothing. Events go to the endpoint, which does not change. */
  webhookSecret: () => [],
};

/** Returns single scopes; an input has one scope per element, or several in one element. */
const apart = (scopes: Scopes): string[] => (scopes ?? []).join(' ').split(' ');
