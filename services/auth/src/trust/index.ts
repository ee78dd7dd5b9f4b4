export type { TrustedIssuer } from './domain/trusted-issuers.ts';
