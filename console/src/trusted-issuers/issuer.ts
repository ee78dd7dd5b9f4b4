import type { TrustedIssuerListQuery } from './generated/trusted-issuers.ts';

export type Issuer = NonNullable<TrustedIssuerListQuery['trustedIssuersConnection']>['edges'][number]['node'];
