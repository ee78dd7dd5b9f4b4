import type { Demo } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken } from '../support/sign-in.ts';

/** Registers an app with all descriptive client metadata. @returns its client id */
export async function describedApp(demo: Demo, logoUri?: string): Promise<string> {
  const { data, errors } = await graph(
    demo,
    await adminToken(demo.tenants.demo),
    'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } } }',
    {
      input: {
        name: 'Field Notes',
        kind: 'NATIVE',
        redirectUris: ['http://127.0.0.1/callback'],
        scopes: ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'],
        policyUri: 'https://notes.example/privacy',
        tosUri: 'https://notes.example/terms',
        ...(logoUri === undefined ? {} : { logoUri }),
      },
    },
  );
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data.registerClient.client.id;
}
