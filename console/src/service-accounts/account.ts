import type { ServiceAccountQuery } from './generated/service-accounts.ts';

export type Account = NonNullable<ServiceAccountQuery['serviceAccount']>;
