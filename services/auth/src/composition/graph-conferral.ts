import { type Conferring, type GraphContext, requirePrincipal } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { type ClientKind, conferredByClient } from '../clients/index.ts';
import { type FactType, readingScopeOf } from '../events/index.ts';
import { mayMakeTokens } from '../machines/graph/index.ts';
import type { OwnedKind } from '../ownership/index.ts';
import { type Role, type RoleDirectory, scopesToActOn, scopesToGive } from '../roles/index.ts';
import { signInTerms } from '../sign-in/index.ts';
import type { AuthLoaders } from './loaders.ts';
import type { PeopleDependencies } from './people.ts';

type Context = GraphContext<AuthLoaders>;
type Input<T> = { input: T };
type Scopes = readonly string[] | null | undefined;

/** With which a caller may act on how others sign in; each of them alone. */
const helpDesk = ['users:write', 'access:write'];

/**
 * What this subgraph's mutations give, in scopes: all that the schema's `@confers` name. Where what is there counts too, it is read
 * again, and asked again, in the transaction of the change.
 */
export function authConferring(
  deps: PeopleDependencies & { roleDirectory: RoleDirectory },
): Conferring<AuthLoaders> {
  return {
    signInTerms: (principal) => signInTerms(deps, principal),
    rights: { ...rightsOfPrograms(deps), ...rightsOfPeople(deps), ...rightsOfReceivers },
  };
}

/**
 * A client that writes over SCIM may be a connector's: then it gives what groups give that identity sources may manage. Only the
 * provisioning service knows whether it is one.
 */
async function givenAsSource(
  roles: RoleDirectory,
  tenant: string,
  scopes: readonly string[],
): Promise<string[]> {
  return scopes.includes('scim:write') ? scopesToActOn(await roles.givenBySources(tenant)) : [];
}

/** What is given of a client, or changes. */
interface ClientChange {
  id?: string;
  scopes?: Scopes;
  requireConsent?: boolean | null;
  grantTypes?: readonly string[] | null;
  kind?: ClientKind | null;
}

/** Kinds that send nobody to the authorization endpoint, unless their grants say otherwise. */
const grantsOfKind = (kind: ClientKind | null | undefined): readonly string[] | undefined =>
  kind === 'machine' || kind === 'device' ? [] : undefined;

type Dependencies = PeopleDependencies & { roleDirectory: RoleDirectory };
type Rights = Conferring<AuthLoaders>['rights'];

/** What credentials of programs give. */
function rightsOfPrograms(deps: Dependencies): Rights {
  const accountScopes = async (id: string, { tenant }: Context): Promise<readonly string[]> =>
    (await deps.serviceAccounts.find(tenant, id))?.scopes ?? [];
  return {
    /** Who has a client's secret or key, or gets its codes, can do what the client can. */
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
    /** Whoever has the token makes clients with these. */
    registration: ({ input: { scopes } }: Input<{ scopes?: Scopes }>) => apart(scopes),
    serviceAccount: async (
      { input }: Input<{ id?: string; scopes?: Scopes; disabled?: boolean | null }>,
      context: Context,
    ) => {
      const { id, scopes, disabled } = input;
      if (id === undefined || scopes) return scopes ?? [];
      // Enabled, it opens all its doors again; what else can be said of it opens none.
      return disabled === false ? accountScopes(id, context) : undefined;
    },
    /** Whose it becomes decides who ends it, and who answers for it. */
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
    /** Taken out of those of the token that asks for it, so that nothing can be beyond. What may make none is told so, however new. */
    personalAccessToken: (_args: object, context: Context) =>
      mayMakeTokens(requirePrincipal(context)) ? [] : undefined,
  };
}

/** What gives the rights of users. */
function rightsOfPeople(deps: Dependencies): Rights {
  return {
    role: ({ input }: Input<{ role: Role }>) => scopesToGive(input.role),
    /** Who has a way to sign in as somebody has what that person has. */
    signInOfPerson: async ({ input: { userId } }: Input<{ userId?: string | null }>, context: Context) => {
      const { tenant, kind, subject, scopes } = requirePrincipal(context);
      const isOwn =
        userId === null || userId === undefined || (kind === 'user' && subject === userId.toLowerCase());
      // To whoever may not act on others, they are all alike.
      if (isOwn || !isUuid(userId) || !helpDesk.some((scope) => scopes.has(scope))) return [];
      const held = await deps.roleDirectory.of(tenant, [userId]);
      return [...held.values()].flatMap(scopesToActOn);
    },
    /** Who speaks for a person has what that person has, and acts on how they sign in. */
    wordAboutPerson: async ({ input: { userId } }: Input<{ userId: string }>, { tenant }: Context) => {
      const held = isUuid(userId) ? [...(await deps.roleDirectory.of(tenant, [userId])).values()] : [];
      return ['users:write', ...held.flat().flatMap((role) => scopesToActOn([role]))];
    },
    /** Who is trusted to say who a person is may say it of whoever is bound to it; binding is conferred by itself. */
    wordOfIssuer: ({ input }: Input<{ scopes: readonly string[] }>) => [
      ...input.scopes,
      'roles:write',
      'users:write',
    ],
  };
}

/** What receivers of events read. */
const rightsOfReceivers: Rights = {
  /** Who is told of what happens reads it, for as long as the webhook is there. */
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
  /** With it messages can be signed like ours; it tells nothing. What reads is the endpoint, and that stays. */
  webhookSecret: () => [],
};

/** Clients are registered with scopes one by one, or several in one text. */
const apart = (scopes: Scopes): string[] => (scopes ?? []).join(' ').split(' ');
