export {
  type TrustedIssuerLoaders,
  trustedIssuerLoaders,
  trustedIssuerResolvers,
} from './trusted-issuers.ts';
