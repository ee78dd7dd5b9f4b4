export type { Brandings } from './domain/branding.ts';
export { type Logo, maxLogoBytes, readLogo, UnfitLogo } from './domain/logo.ts';
export type { TenantRecord, Tenants } from './domain/tenant-record.ts';
export type { TenantStore } from './domain/tenant-store.ts';
export { DirectoryTenants, type TenantRegister, type TenantSessionEnds } from './domain/tenants.ts';
export type { WebOrigins } from './domain/web-origins.ts';
