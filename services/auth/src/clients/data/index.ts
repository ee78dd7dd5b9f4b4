export { createAssertionVerification } from './assertion-verification.ts';
export { FetchedClientLogos } from './client-logos.ts';
export { ClientSecrets, clientSecretContext } from './client-secrets.ts';
export { announceClientsOf, ClientRegistrations, Clients } from './clients.ts';
export { DynamicRegistrations } from './dynamic-registration.ts';
export { createOutgoingPlaces, type OutgoingPlaces } from './outgoing-places.ts';
export { RemoteJwks } from './remote-jwks.ts';
export { createSectorDocuments, type SectorDocuments } from './sector-documents.ts';
