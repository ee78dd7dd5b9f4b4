import {
  badUserInput,
  conflict,
  connection,
  decodeCursor,
  encodeCursor,
  forbidden,
  type GraphContext,
  notFound,
  pageArguments,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { OwnerGone, TooManyApiTokens } from '../domain/api-tokens.ts';
import { KeyTaken, type ServiceAccount } from '../domain/service-accounts.ts';
import type { PeopleDependencies } from '../people.ts';
import { once } from './idempotency.ts';
import type { AuthLoaders } from './loaders.ts';

type Context = GraphContext<AuthLoaders>;
type Input<T> = { input: T };

interface CreateServiceAccountInput {
  name: string;
  description?: string | null;
  scopes: readonly string[];
  idempotencyKey?: string | null;
}

interface CreateApiKeyInput {
  serviceAccountId: string;
  name: string;
  scopes?: readonly string[] | null;
  expiresAt?: Date | null;
  idempotencyKey?: string | null;
}

interface UpdateServiceAccountInput {
  id: string;
  name?: string | null;
  description?: string | null;
  scopes?: readonly string[] | null;
  disabled?: boolean | null;
}

const cursorKind = 'service-account';

/** Programs' own accounts, their API keys and the public keys they sign assertions with. */
export function serviceAccountResolvers(deps: PeopleDependencies): {
  ServiceAccount: TypeResolvers<AuthLoaders>;
  Query: TypeResolvers<AuthLoaders>;
  Mutation: TypeResolvers<AuthLoaders>;
} {
  const { serviceAccounts, apiTokens } = deps;
  return {
    ServiceAccount: {
      apiKeys: ({ id }: ServiceAccount, _args: object, { loaders }: Context) => loaders.apiKeys.load(id),
      publicKeys: ({ id }: ServiceAccount, _args: object, { loaders }: Context) =>
        loaders.serviceAccountKeys.load(id),
    },
    Query: {
      async serviceAccounts(
        _parent: unknown,
        args: { first?: number | null; after?: string | null },
        { tenant }: Context,
      ) {
        const page = pageArguments(args);
        const after =
          page.after === undefined ? undefined : decodeCursor<string>(cursorKind, page.after, isId);
        const { accounts, total } = await serviceAccounts.list(tenant, {
          first: page.first + 1,
          ...(after === undefined ? {} : { after }),
        });
        return {
          totalCount: total,
          ...connection(accounts, page, (account) => encodeCursor(cursorKind, account.id)),
        };
      },
      serviceAccount: async (_parent: unknown, { id }: { id: string }, { tenant }: Context) =>
        (await serviceAccounts.find(tenant, id)) ?? null,
    },
    Mutation: {
      async createServiceAccount(
        _parent: unknown,
        { input }: Input<CreateServiceAccountInput>,
        context: Context,
      ) {
        mayGive(context)(input.scopes);
        const { tenant } = context;
        return once(
          deps,
          context,
          'createServiceAccount',
          input,
          async (claim) => ({ serviceAccount: await serviceAccounts.create(tenant, input, claim) }),
          async (id) => ({ serviceAccount: (await serviceAccounts.find(tenant, id)) ?? null }),
        );
      },
      async updateServiceAccount(
        _parent: unknown,
        { input }: Input<UpdateServiceAccountInput>,
        context: Context,
      ) {
        const patch = {
          name: input.name ?? undefined,
          description: input.description,
          scopes: input.scopes ?? undefined,
          disabled: input.disabled ?? undefined,
        };
        const serviceAccount = await serviceAccounts.update(
          context.tenant,
          input.id,
          patch,
          mayGive(context),
        );
        if (!serviceAccount) throw notFound('The service account');
        return { serviceAccount };
      },
      async deleteServiceAccount(_parent: unknown, { input }: Input<{ id: string }>, { tenant }: Context) {
        if (!(await serviceAccounts.remove(tenant, input.id))) throw notFound('The service account');
        return { id: input.id };
      },
      async createApiKey(_parent: unknown, { input }: Input<CreateApiKeyInput>, context: Context) {
        const request = {
          name: input.name,
          scopes: input.scopes ?? undefined,
          expiresAt: input.expiresAt ?? undefined,
        };
        try {
          const { tenant } = context;
          const account = input.serviceAccountId;
          return await once(
            deps,
            context,
            'createApiKey',
            input,
            async (claim) => {
              const created = await apiTokens.createKey(tenant, account, request, mayGive(context), claim);
              return { apiKey: created.summary, token: created.token };
            },
            async (id) => ({
              apiKey: (await apiTokens.listKeys(tenant, [account])).find((key) => key.id === id) ?? null,
            }),
          );
        } catch (error) {
          if (error instanceof OwnerGone) throw notFound('The service account');
          if (error instanceof TooManyApiTokens) throw conflict('There are too many keys; revoke one first.');
          throw error;
        }
      },
      async revokeApiKey(_parent: unknown, { input }: Input<{ id: string }>, { tenant }: Context) {
        const owner = await apiTokens.keyOwner(tenant, input.id);
        if (owner === undefined || !(await apiTokens.revoke(tenant, input.id))) throw notFound('The API key');
        return { id: input.id, serviceAccount: await serviceAccounts.find(tenant, owner) };
      },
      async addServiceAccountKey(
        _parent: unknown,
        { input }: Input<{ serviceAccountId: string; jwk: string; expiresAt?: Date | null }>,
        context: Context,
      ) {
        try {
          const key = await serviceAccounts.addKey(
            context.tenant,
            input.serviceAccountId,
            { jwk: parseJwk(input.jwk), expiresAt: input.expiresAt ?? undefined },
            mayGive(context),
          );
          if (!key) throw notFound('The service account');
          return { publicKey: key };
        } catch (error) {
          if (error instanceof KeyTaken) throw conflict('The service account has a key of this kid.');
          throw error;
        }
      },
      async removeServiceAccountKey(_parent: unknown, { input }: Input<{ id: string }>, { tenant }: Context) {
        const removed = await serviceAccounts.removeKey(tenant, input.id);
        if (!removed) throw notFound('The key');
        return {
          id: input.id,
          serviceAccount: await serviceAccounts.find(tenant, removed.serviceAccountId),
        };
      },
    },
  };
}

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);

/** Nobody hands out what they may not do themselves: the new key would do it for them. */
const mayGive =
  (context: Context) =>
  (scopes: readonly string[]): void => {
    const { scopes: own } = requirePrincipal(context);
    const beyond = scopes.find((scope) => !own.has(scope));
    if (beyond !== undefined) throw forbidden([beyond]);
  };

function parseJwk(text: string): unknown {
  if (text.length > 8_192) throw badUserInput('The key is too long.', { argument: 'jwk' });
  try {
    return JSON.parse(text);
  } catch {
    throw badUserInput('The key must be a JSON Web Key, in JSON.', { argument: 'jwk' });
  }
}
