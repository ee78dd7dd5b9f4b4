import {
  badUserInput,
  conflict,
  connectionOf,
  encodeCursor,
  forbidden,
  type GraphContext,
  notFound,
  type PagingArguments,
  pagingOf,
  positionOf,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { filterOf, type Given } from '../../../platform/subgraph/graph/filters.ts';
import { type OnceDependencies, once, termsOf } from '../../../platform/subgraph/graph/idempotency.ts';
import type { OwnerFilter } from '../../ownership/domain/credential-owner.ts';
import type { Owners } from '../../ownership/domain/owners.ts';
import { ownerToBe } from '../../ownership/graph/ownership.ts';
import { type ApiTokens, OwnerGone, TooManyApiTokens } from '../domain/api-tokens.ts';
import type { ServiceAccount } from '../domain/service-account-store.ts';
import { KeyTaken } from '../domain/service-account-store.ts';
import { type ServiceAccounts, TooManyKeys } from '../domain/service-accounts.ts';
import type { MachineLoaders } from './loaders.ts';

type Context = GraphContext<MachineLoaders>;
type Input<T> = { input: T & { idempotencyKey?: string | null } };

interface CreateServiceAccountInput {
  name: string;
  description?: string | null;
  scopes: readonly string[];
  ownerId?: string | null;
}

interface CreateApiKeyInput {
  serviceAccountId: string;
  name: string;
  scopes?: readonly string[] | null;
  expiresAt?: Date | null;
  ownerId?: string | null;
}

interface UpdateServiceAccountInput {
  id: string;
  name?: string | null;
  description?: string | null;
  scopes?: readonly string[] | null;
  disabled?: boolean | null;
  version?: number | null;
}

const cursorKind = 'service-account';

export interface ServiceAccountDependencies extends OnceDependencies {
  apiTokens: ApiTokens;
  serviceAccounts: ServiceAccounts;
  owners: Owners;
}

/** Resolvers of service accounts, their API keys and their public keys. */
export function serviceAccountResolvers(deps: ServiceAccountDependencies): {
  ServiceAccount: TypeResolvers<MachineLoaders>;
  Query: TypeResolvers<MachineLoaders>;
  Mutation: TypeResolvers<MachineLoaders>;
} {
  const { serviceAccounts } = deps;
  return {
    ServiceAccount: {
      __resolveReference: async ({ id }: { id: string }, { tenant }: Context) =>
        (await serviceAccounts.find(tenant, id)) ?? null,
      apiKeys: ({ id }: ServiceAccount, _args: object, { loaders }: Context) => loaders.apiKeys.load(id),
      publicKeys: ({ id }: ServiceAccount, _args: object, { loaders }: Context) =>
        loaders.serviceAccountKeys.load(id),
    },
    Query: serviceAccountQueries(deps),
    Mutation: {
      ...accountMutations(deps),
      ...accountDeletion(deps),
      ...apiKeyMutations(deps),
      ...publicKeyMutations(deps),
    },
  };
}

function accountMutations(deps: ServiceAccountDependencies): TypeResolvers<MachineLoaders> {
  const { serviceAccounts } = deps;
  return {
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
        async (claim) => {
          const owner = await ownerToBe(deps, context, 'service_account', input.ownerId);
          return { serviceAccount: await serviceAccounts.create(tenant, input, claim, owner) };
        },
        async (id) => ({ serviceAccount: (await serviceAccounts.find(tenant, id)) ?? null }),
      );
    },
    updateServiceAccount(_parent: unknown, { input }: Input<UpdateServiceAccountInput>, context: Context) {
      const patch = {
        name: input.name ?? undefined,
        description: input.description,
        scopes: input.scopes ?? undefined,
        disabled: input.disabled ?? undefined,
      };
      const { tenant } = context;
      return once(
        deps,
        context,
        'updateServiceAccount',
        input,
        async (claim) => {
          const changed = await serviceAccounts.update(
            tenant,
            input.id,
            patch,
            mayGive(context),
            termsOf(input, claim),
          );
          if (!changed) throw notFound('The service account');
          return { serviceAccount: changed };
        },
        async (id) => ({ serviceAccount: (await serviceAccounts.find(tenant, id)) ?? null }),
      );
    },
  };
}

function accountDeletion(deps: ServiceAccountDependencies): TypeResolvers<MachineLoaders> {
  const { serviceAccounts } = deps;
  return {
    deleteServiceAccount(
      _parent: unknown,
      { input }: Input<{ id: string; version?: number | null }>,
      context: Context,
    ) {
      return once(
        deps,
        context,
        'deleteServiceAccount',
        input,
        async (claim) => {
          if (!(await serviceAccounts.remove(context.tenant, input.id, termsOf(input, claim))))
            throw notFound('The service account');
          return { id: input.id };
        },
        () => ({ id: input.id }),
      );
    },
  };
}

function apiKeyMutations(deps: ServiceAccountDependencies): TypeResolvers<MachineLoaders> {
  const { serviceAccounts, apiTokens } = deps;
  return {
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
            const owner = await ownerToBe(deps, context, 'api_key', input.ownerId);
            const may = mayGive(context);
            const created = await apiTokens.createKey(tenant, account, request, may, claim, owner);
            return { apiKey: created.summary, token: created.token };
          },
          async (id) => ({
            apiKey: (await apiTokens.listKeys(tenant, [account])).find((key) => key.id === id) ?? null,
          }),
        );
      } catch (error) {
        if (error instanceof OwnerGone) throw notFound('The service account');
        if (error instanceof TooManyApiTokens)
          throw conflict('A service account has at most 50 active API keys. Revoke one first.');
        throw error;
      }
    },
    revokeApiKey(_parent: unknown, { input }: Input<{ id: string }>, context: Context) {
      const { tenant } = context;
      const answer = async (owner: string) => ({
        id: input.id,
        serviceAccount: (await serviceAccounts.find(tenant, owner)) ?? null,
      });
      return once(
        deps,
        context,
        'revokeApiKey',
        input,
        async (claim) => {
          const owner = await apiTokens.keyOwner(tenant, input.id);
          if (owner === undefined || !(await apiTokens.revoke(tenant, input.id, claim)))
            throw notFound('The API key');
          return answer(owner);
        },
        answer,
      );
    },
  };
}

function publicKeyMutations(deps: ServiceAccountDependencies): TypeResolvers<MachineLoaders> {
  const { serviceAccounts } = deps;
  return {
    async addServiceAccountKey(
      _parent: unknown,
      { input }: Input<{ serviceAccountId: string; jwk: string; expiresAt?: Date | null }>,
      context: Context,
    ) {
      const { tenant } = context;
      const account = input.serviceAccountId;
      return once(
        deps,
        context,
        'addServiceAccountKey',
        input,
        async (claim) => {
          try {
            const asked = { jwk: parseJwk(input.jwk), expiresAt: input.expiresAt ?? undefined };
            const key = await serviceAccounts.addKey(tenant, account, asked, mayGive(context), claim);
            if (!key) throw notFound('The service account');
            return { publicKey: key };
          } catch (error) {
            if (error instanceof KeyTaken)
              throw conflict('The service account already has a key with this kid.');
            if (error instanceof TooManyKeys)
              throw conflict('A service account has at most 50 public keys. Remove one first.');
            throw error;
          }
        },
        async (id) => ({
          publicKey: (await serviceAccounts.listKeys(tenant, [account])).find((key) => key.id === id) ?? null,
        }),
      );
    },
    removeServiceAccountKey(
      _parent: unknown,
      { input }: Input<{ id: string; version?: number | null }>,
      context: Context,
    ) {
      const { tenant } = context;
      const answer = async (account: string) => ({
        id: input.id,
        serviceAccount: (await serviceAccounts.find(tenant, account)) ?? null,
      });
      return once(
        deps,
        context,
        'removeServiceAccountKey',
        input,
        async (claim) => {
          const removed = await serviceAccounts.removeKey(tenant, input.id, termsOf(input, claim));
          if (!removed) throw notFound('The key');
          return answer(removed.serviceAccountId);
        },
        answer,
      );
    },
  };
}

function serviceAccountQueries(deps: ServiceAccountDependencies): TypeResolvers<MachineLoaders> {
  const { serviceAccounts } = deps;
  return {
    async serviceAccounts(
      _parent: unknown,
      args: PagingArguments & { filter?: Given<OwnerFilter> | null },
      { tenant }: Context,
    ) {
      const paging = pagingOf(args);
      const page = {
        limit: paging.limit + 1,
        direction: paging.direction,
        position: positionOf(paging, cursorKind, isId),
      };
      const { accounts, total } = await serviceAccounts.list(
        tenant,
        page,
        filterOf<OwnerFilter>(args.filter),
      );
      return {
        totalCount: total,
        ...connectionOf(accounts, paging, (account) => encodeCursor(cursorKind, account.id)),
      };
    },
    serviceAccount: async (_parent: unknown, { id }: { id: string }, { tenant }: Context) =>
      (await serviceAccounts.find(tenant, id)) ?? null,
  };
}

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);

/** Callers cannot give a service account scopes that they do not have: its key would use them for the caller. */
const mayGive =
  (context: Context) =>
  (scopes: readonly string[]): void => {
    const { scopes: own } = requirePrincipal(context);
    const beyond = scopes.find((scope) => !own.has(scope));
    if (beyond !== undefined) throw forbidden([beyond]);
  };

function parseJwk(text: string): unknown {
  if (text.length > 8_192)
    throw badUserInput('"jwk" must have at most 8192 characters.', { argument: 'jwk' });
  try {
    return JSON.parse(text);
  } catch {
    throw badUserInput('"jwk" must be a JSON Web Key in JSON (RFC 7517).', { argument: 'jwk' });
  }
}
