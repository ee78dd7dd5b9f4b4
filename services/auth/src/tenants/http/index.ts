export { brandingRoutes, isLogoDigest, lookOf, sendLogo } from './branding.ts';
export { allowOtherOrigins } from './cross-origin.ts';
export { internalWebOriginsEndpoint } from './internal-web-origins.ts';
