export { trustedIssuerResolvers } from './trusted-issuers.ts';
