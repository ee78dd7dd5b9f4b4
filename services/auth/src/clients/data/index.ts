export { StoredAssertionVerification } from './assertion-verification.ts';
export { FetchedClientLogos } from './client-logos.ts';
export { ClientSecrets, clientSecretContext } from './client-secrets.ts';
export { announceClientsOf, ClientRegistrations, Clients } from './clients.ts';
export { DynamicRegistrations } from './dynamic-registration.ts';
export { OutgoingPlaces } from './outgoing-places.ts';
export { RemoteJwks } from './remote-jwks.ts';
export { SectorDocuments } from './sector-documents.ts';
