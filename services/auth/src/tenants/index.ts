export type { Brandings } from './domain/branding.ts';
export { type Logo, maxLogoBytes, readLogo, UnfitLogo } from './domain/logo.ts';
export type { TenantRecord, Tenants } from './domain/tenant-record.ts';
export { createTenants, type TenantRegister } from './domain/tenants.ts';
export type { WebOrigins } from './domain/web-origins.ts';
