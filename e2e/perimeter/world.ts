import { eventually } from '@ostiary/service/testing';
import type { Demo, DemoTenant } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken } from '../support/sign-in.ts';

/** Credentials of an attacker: their own, and valid ones of other tenants. */
export interface PerimeterWorld {
  /** Token of a connector for SCIM of `demo`. */
  connector: string;
  /** Authorization header of a client of `demo`. */
  client: string;
  /** Public client of `demo` with the device grant. */
  device: string;
  rivalClient: string;
  rivalToken: string;
  /** Web origins registered by `demo`, and by the rival tenant. */
  demoOrigin: string;
  rivalOrigin: string;
}

export const basicOf = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

const demoOrigin = 'https://app.demo.test';
const rivalOrigin = 'https://app.rival.test';

export async function perimeterWorld(installation: Demo): Promise<PerimeterWorld> {
  const { demo, rival } = installation.tenants;
  const rivalClient = basicOf(rival.clients.admin.client_id, rival.clients.admin.client_secret);
  const response = await fetch(`${rival.issuer}/token`, {
    method: 'POST',
    headers: { authorization: rivalClient },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: rivalToken } = (await response.json()) as { access_token: string };
  await register(installation, demo, demoOrigin);
  await register(installation, rival, rivalOrigin);
  return {
    connector: demo.clients.scim.token,
    client: basicOf(demo.clients.admin.client_id, demo.clients.admin.client_secret),
    device: demo.clients.device.client_id,
    rivalClient,
    rivalToken,
    demoOrigin,
    rivalOrigin,
  };
}

/** Registers a web origin of a tenant, and waits until it is effective. */
async function register(installation: Demo, tenant: DemoTenant, origin: string): Promise<void> {
  const { errors, data } = await graph(
    installation,
    await adminToken(tenant),
    'mutation ($input: UpdateTenantPolicyInput!) { updateTenantPolicy(input: $input) { problems { message } } }',
    { input: { webOrigins: [origin] } },
  );
  const problems = [...errors, ...(data?.updateTenantPolicy.problems ?? [])];
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  await eventually(
    async () => (await fetch(`${tenant.issuer}/jwks`, { headers: { origin } })).headers,
    (headers) => headers.get('access-control-allow-origin') === origin,
  );
}
