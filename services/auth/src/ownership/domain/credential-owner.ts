/** What runs by itself, and whoever set it up may know the secret of. */
export type OwnedKind = 'client' | 'service_account' | 'api_key';

/** A person, or a group: that owns as long as there is the group, whoever is in it. */
export interface CredentialOwner {
  kind: 'user' | 'group';
  id: string;
}

/** Narrows a list to what is somebody's, or nobody's; what is left out doesn't narrow. */
export interface OwnerFilter {
  ownerId?: string;
  /** Whether somebody owns it. */
  hasOwner?: boolean;
}

/** Whose credentials are. */
export interface CredentialOwners {
  /** The owners of many, by the id of the credential; without an entry: nobody's. */
  of(
    tenant: string,
    kind: OwnedKind,
    credentialIds: readonly string[],
  ): Promise<Map<string, CredentialOwner>>;
}
