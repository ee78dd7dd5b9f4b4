import { HttpPeer } from '@ostiary/service';
import { startDirectoryHere } from '../../../../e2e/support/directory-here.ts';
import type { Profile } from '../../src/compatibility/domain/profiles.ts';
import { type ConnectorRules, noRules } from '../../src/connectors/domain/connector.ts';
import type { NewConnector } from '../../src/connectors/domain/connector-changes.ts';
import { type AuthorizationServer, publicOrigin, startAuthorizationServer } from './authorization-server.ts';
import { redisUrl, type ScimRequest, type ScimResponse, startService } from './service.ts';

/** Creates the tenants `demo` and `rival` in a directory. */
export async function createTenants(authorization: AuthorizationServer, origin: string): Promise<void> {
  const peer = new HttpPeer({
    name: 'directory',
    origin,
    token: async () => authorization.serviceToken('operator', 'directory'),
  });
  for (const id of ['demo', 'rival']) {
    const answer = await peer.request({
      method: 'POST',
      path: '/internal/v1/tenants',
      body: { id, name: id, actor: { kind: 'system', id: 'test' } },
    });
    if (answer.status !== 201) throw new Error(`tenant not made: ${answer.status}`);
  }
  await peer.close();
}

/** Starts the directory, with the tenants `demo` and `rival`. */
async function startDirectory(
  authorization: AuthorizationServer,
  prefix: string,
  settings: Record<string, string>,
) {
  const directory = await startDirectoryHere({
    REDIS_URL: redisUrl,
    REDIS_PREFIX: prefix,
    AUTH_URL: authorization.url,
    // Unreachable: these tests do not use its events.
    PROVISIONING_URL: 'http://127.0.0.1:9',
    PUBLIC_ORIGIN: publicOrigin,
    SERVICE_CLIENT_SECRET: 'a secret for the tests',
    HOST: '127.0.0.1',
    ...settings,
  });
  await createTenants(authorization, directory.url);
  return directory;
}

/** Starts the provisioning service on the real directory; only the authorization server is a stand-in. */
export async function startWithDirectory(
  limits: NonNullable<Parameters<typeof startService>[0]['limits']> = {},
  settings: Record<string, string> = {},
) {
  const authorization = await startAuthorizationServer();
  const prefix = `test-${crypto.randomUUID()}`;
  const directory = await startDirectory(authorization, prefix, settings);
  const service = await startService({ directoryUrl: directory.url, authorization, prefix, limits });
  /** Creates a connector of a tenant, and returns its requests, which fail the test on a 500. */
  const source = async (
    profile: Profile = 'rfc',
    tenant = 'demo',
    more: Pick<NewConnector, 'limits' | 'quirks'> & { rules?: Partial<ConnectorRules> } = {},
  ) => {
    const rules = { ...noRules, ...more.rules };
    const { token, connector } = await service.connector({ name: profile, profile, tenant, ...more, rules });
    return {
      id: connector.id,
      token,
      async call(
        method: string,
        path: string,
        o: Omit<ScimRequest, 'token' | 'tenant'> = {},
      ): Promise<ScimResponse> {
        const answer = await service.scim(method, path, { ...o, token, tenant });
        if (answer.status === 500) throw new Error(`${method} ${path} answered 500`);
        return answer;
      },
    };
  };
  return {
    service,
    authorization,
    directoryUrl: directory.url,
    source,
    async close() {
      await service.close();
      await directory.stop();
      await authorization.close();
    },
  };
}

export type WithDirectory = Awaited<ReturnType<typeof startWithDirectory>>;
export type Source = Awaited<ReturnType<WithDirectory['source']>>;
