import { batchOne, type DataLoader, type LoaderScope } from '@ostiary/graph';
import type { Transaction } from '@ostiary/service';
import type { CredentialOwner, CredentialOwnerStore, OwnedKind } from '../domain/credential-owner.ts';

export interface OwnerLoaders {
  /** Owner of each credential, by its id. */
  owners: Readonly<
    Record<OwnedKind, DataLoader<string, (CredentialOwner & { credentialId: string }) | null>>
  >;
}

export const ownerLoaders =
  (o: { database: { sql: Transaction }; credentialOwnerStore: CredentialOwnerStore }) =>
  ({ tenant }: LoaderScope): OwnerLoaders => {
    const owners = (kind: OwnedKind) =>
      batchOne(
        async (ids) =>
          [...(await o.credentialOwnerStore.ownersOf(o.database.sql, tenant, kind, ids))].map(
            ([credentialId, owner]) => ({
              ...owner,
              credentialId,
            }),
          ),
        ({ credentialId }) => credentialId,
      );
    return {
      owners: {
        client: owners('client'),
        service_account: owners('service_account'),
        api_key: owners('api_key'),
      },
    };
  };
