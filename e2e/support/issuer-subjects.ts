import type { Demo, DemoTenant } from './demo.ts';
import { graph } from './graph.ts';
import { adminToken } from './sign-in.ts';

/** Binds a subject of a trusted issuer, named like the user, to the user. */
export async function bindUserName(
  demo: Demo,
  tenant: DemoTenant,
  trustedIssuerId: string,
  userName: string,
): Promise<void> {
  const token = await adminToken(tenant);
  const found = await graph(
    demo,
    token,
    'query ($filter: String) { users(first: 1, filter: $filter) { edges { node { id } } } }',
    { filter: `userName eq ${JSON.stringify(userName)}` },
  );
  const { errors } = await graph(
    demo,
    token,
    'mutation ($input: BindIssuerSubjectInput!) { bindIssuerSubject(input: $input) { issuerSubject { id } } }',
    { input: { trustedIssuerId, subject: userName, userId: found.data.users.edges[0]?.node.id } },
  );
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
}
