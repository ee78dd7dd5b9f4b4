export { brandingRoutes, isLogoDigest, lookOf, sendLogo, type TenantLooks } from './branding.ts';
export { allowOtherOrigins } from './cross-origin.ts';
export { internalWebOriginsEndpoint } from './internal-web-origins.ts';
