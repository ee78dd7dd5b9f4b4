import type { OtherWords } from '../en/index.ts';
import { apis, claims } from './apis.ts';
import { applications } from './applications.ts';
import { branding } from './branding.ts';
import { deliveries } from './deliveries.ts';
import { departure, doors } from './doors.ts';
import { groups } from './groups.ts';
import { initialAccessTokens } from './initial-access-tokens.ts';
import { keys } from './keys.ts';
import { logs } from './logs.ts';
import { owners } from './owners.ts';
import { roles, scopes } from './roles.ts';
import { schemas } from './schemas.ts';
import { serviceAccounts } from './service-accounts.ts';
import { signals } from './signals.ts';
import { sources } from './sources.ts';
import { system } from './system.ts';
import { tenant } from './tenant.ts';
import { trustedIssuers } from './trusted-issuers.ts';
import { access, actors, profile, signIns, timeline, users } from './users.ts';
import { webhooks } from './webhooks.ts';

export const rest: OtherWords = {
  access,
  actors,
  apis,
  applications,
  branding,
  claims,
  deliveries,
  departure,
  doors,
  groups,
  initialAccessTokens,
  keys,
  logs,
  owners,
  profile,
  roles,
  schemas,
  scopes,
  serviceAccounts,
  signIns,
  signals,
  sources,
  system,
  tenant,
  timeline,
  trustedIssuers,
  users,
  webhooks,
};
