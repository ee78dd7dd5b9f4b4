import { applications } from '../applications/index.ts';
import { branding } from '../branding/index.ts';
import { deliveries } from '../deliveries/index.ts';
import { groups } from '../groups/index.ts';
import { initialAccessTokens } from '../initial-access-tokens/index.ts';
import { keys } from '../keys/index.ts';
import { logs } from '../logs/index.ts';
import type { Feature } from '../navigation/index.ts';
import { overview } from '../overview/index.ts';
import { rolesFeature } from '../roles/index.ts';
import { schemas } from '../schemas/index.ts';
import { serviceAccounts } from '../service-accounts/index.ts';
import { signals } from '../signals/index.ts';
import { sources } from '../sources/index.ts';
import { system } from '../system/index.ts';
import { tenant } from '../tenant/index.ts';
import { trustedIssuers } from '../trusted-issuers/index.ts';
import { users } from '../users/index.ts';
import { webhooks } from '../webhooks/index.ts';

/** All features, in the order of the navigation. */
export const features: readonly Feature[] = [
  overview,
  users,
  groups,
  rolesFeature,
  sources,
  signals,
  webhooks,
  deliveries,
  applications,
  serviceAccounts,
  trustedIssuers,
  initialAccessTokens,
  schemas,
  keys,
  logs,
  system,
  tenant,
  branding,
];
