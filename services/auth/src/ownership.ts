import { machineSecretSources } from './access/machines/data/known-secrets.ts';
import { postgresCredentialOwners } from './access/ownership/data/credential-owners.ts';
import { postgresKnowers } from './access/ownership/data/knowers.ts';
import { knownSecretStatements, postgresKnownSecrets } from './access/ownership/data/known-secrets.ts';
import { postgresOwnerTransfers } from './access/ownership/data/owner-transfer.ts';
import { clientSecretSources } from './clients/data/known-secrets.ts';
import { ownedClients } from './clients/data/owned-clients.ts';
import { invitationSecretSources } from './identity/sign-in/data/known-secrets.ts';
import { issuerSecretSources } from './oauth/trust/data/known-secrets.ts';
import { receiverSecretSources } from './signals/data/known-secrets.ts';

const secrets = knownSecretStatements({
  ...clientSecretSources,
  ...machineSecretSources,
  ...issuerSecretSources,
  ...receiverSecretSources,
  ...invitationSecretSources,
});

const credentialOwnerStore = postgresCredentialOwners(secrets, ownedClients);
const knownSecrets = postgresKnownSecrets(secrets, ownedClients);

/** Stores of owners and of secrets that users know, over the tables of all districts. */
export const ownershipStores = {
  credentialOwnerStore,
  knownSecrets,
  ownerTransfers: postgresOwnerTransfers(ownedClients),
  knowers: postgresKnowers({ credentialOwnerStore, knownSecrets }),
};
