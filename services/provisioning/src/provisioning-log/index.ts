export type { ProvisioningLogQueries } from './domain/provisioning-log.ts';
