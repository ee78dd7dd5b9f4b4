import { randomBytes } from 'node:crypto';
import { type Demo, type DemoTenant, unique } from '../demo.ts';
import { ScimClient } from '../scim.ts';
import { signIn } from '../sign-in.ts';

/** User who has signed in, with the tokens of the user's apps and of an administration client. */
export interface Caller {
  tenant: DemoTenant;
  name: string;
  id: string;
  user: { userName: string; password: string };
  accessToken: string;
  refreshToken: string;
  isRefreshing: boolean;
  isChanging: boolean;
  /** Token of the tenant's administration client. */
  admin: string;
}

const scope = 'openid profile offline_access';

/** Creates a user over SCIM and signs the user in. */
export async function hire(demo: Demo, tenant: DemoTenant, admin: string, number: number): Promise<Caller> {
  const name = unique(`under-load-${number}`);
  const user = { userName: name, password: `correct horse ${randomBytes(12).toString('hex')}` };
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  const { id } = await scim.createUser({ ...user, displayName: name });
  const { tokens } = await signIn(demo, tenant, user, { scope });
  return {
    tenant,
    name,
    id,
    user,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? '',
    isRefreshing: false,
    isChanging: false,
    admin,
  };
}
