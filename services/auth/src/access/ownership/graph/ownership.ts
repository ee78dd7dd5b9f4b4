import {
  type GraphContext,
  notFound,
  requireConferrable,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { type OnceDependencies, once, termsOf } from '../../../platform/subgraph/graph/idempotency.ts';
import type { CredentialOwner, OwnedKind, OwnerToBe } from '../domain/credential-owner.ts';
import type { KnownSecretReader } from '../domain/known-secret.ts';
import { transferCredential } from '../domain/owner-transfer.ts';
import type { Owners } from '../domain/owners.ts';
import type { OwnerLoaders } from './loaders.ts';

type Found = Promise<object | null | undefined>;
type Loaders = OwnerLoaders & { apiKeysById: { load(id: string): Found; clearAll(): unknown } };
type Context = GraphContext<Loaders>;

export type OwnershipGraphDependencies = OnceDependencies &
  Parameters<typeof transferCredential>[0] & {
    owners: Owners;
    knownSecretReader: KnownSecretReader;
    clients: { find(tenant: string, clientId: string): Found };
    serviceAccounts: { find(tenant: string, id: string): Found };
    clientRegistry: {
      changed(tenant: string, clientId: string): Promise<void>;
      requireChangeable(clientId: string): void;
    };
  };

interface TransferCredentialInput {
  kind: OwnedKind;
  id: string;
  ownerId: string;
  version?: number | null;
  idempotencyKey?: string | null;
}

/**
 * Returns the owner of a new object: the named owner, otherwise the caller's user.
 * @throws NoSuchOwner, ServiceUnavailable
 */
export async function ownerToBe(
  { owners }: { owners: Owners },
  { tenant }: GraphContext<unknown>,
  kind: OwnedKind,
  ownerId: string | null | undefined,
): Promise<OwnerToBe> {
  const named = ownerId === null || ownerId === undefined ? undefined : await owners.find(tenant, ownerId);
  return (tx) => owners.holdOwnerToBe(tx, tenant, kind, named);
}

const typeNames = { client: 'Client', service_account: 'ServiceAccount', api_key: 'ApiKey' } as const;
const whatOf = {
  client: 'The client',
  service_account: 'The service account',
  api_key: 'The API key',
} as const;

const secretFields = {
  kind: ({ kind }: { kind: string }) => kind.toUpperCase(),
  owner: ({ owner }: { owner: CredentialOwner | null }) => ofOwner(owner),
} satisfies TypeResolvers<Loaders>;

const ofOwner = (owner: { kind: CredentialOwner['kind']; id: string } | null) =>
  owner && { __typename: owner.kind === 'user' ? 'User' : 'Group', id: owner.id };

const ownedFields = <T>(kind: OwnedKind, idOf: (credential: T) => string) =>
  ({
    owner: async (credential: T, _args: object, { loaders }: Context) =>
      ofOwner(await loaders.owners[kind].load(idOf(credential))),
  }) satisfies TypeResolvers<Loaders>;

export function ownershipResolvers(deps: OwnershipGraphDependencies) {
  /** Reads the current owner, ignoring the cache of this request. */
  async function credential(kind: OwnedKind, id: string, { tenant, loaders }: Context): Found {
    loaders.owners[kind].clearAll();
    if (kind === 'client') return deps.clients.find(tenant, id);
    if (kind === 'service_account') return deps.serviceAccounts.find(tenant, id);
    loaders.apiKeysById.clearAll();
    return loaders.apiKeysById.load(id);
  }
  const shown = async (kind: OwnedKind, id: string, context: Context) => {
    const found = await credential(kind, id, context);
    return { credential: found ? { __typename: typeNames[kind], ...found } : null };
  };
  return {
    CredentialKind: { CLIENT: 'client', SERVICE_ACCOUNT: 'service_account', API_KEY: 'api_key' },
    Client: ownedFields('client', ({ clientId }: { clientId: string }) => clientId),
    ServiceAccount: ownedFields('service_account', ({ id }: { id: string }) => id),
    ApiKey: ownedFields('api_key', ({ id }: { id: string }) => id),
    User: {
      knownSecrets: ({ id }: { id: string }, _args: object, { tenant }: Context) =>
        deps.knownSecretReader.of(tenant, id),
    } satisfies TypeResolvers<Loaders>,
    KnownSecret: secretFields,
    ReportedSecret: secretFields,
    Mutation: {
      transferCredential(_parent: unknown, { input }: { input: TransferCredentialInput }, context: Context) {
        const { tenant } = context;
        const { kind, ownerId } = input;
        // Client ids are arbitrary text; the others are UUIDs.
        const id = kind === 'client' ? input.id : input.id.toLowerCase();
        return once(
          deps,
          context,
          'transferCredential',
          input,
          async (claim) => {
            if (kind === 'client') deps.clientRegistry.requireChangeable(id);
            const to = await deps.owners.find(tenant, ownerId);
            const mayHandOver = (scopes: readonly string[]) =>
              requireConferrable(requirePrincipal(context), scopes);
            const terms = termsOf(input, claim);
            if (!(await transferCredential(deps, tenant, { kind, id, to, mayHandOver }, terms)))
              throw notFound(whatOf[kind]);
            if (kind === 'client') await deps.clientRegistry.changed(tenant, id);
            return shown(kind, id, context);
          },
          (made) => shown(kind, made, context),
        );
      },
    } satisfies TypeResolvers<Loaders>,
  };
}
