import { overrides, visits } from './browser.ts';
import {
  fapi,
  initialAccessToken,
  issuerUnderTest,
  person,
  receiver,
  suiteOrigin,
  type TestClient,
  web,
} from './tenant.ts';

/** Test plan in the format of the suite's API. */
export interface Plan {
  /** Name of the plan in the suite. */
  planName: string;
  variant: Record<string, string>;
  /** Registers the clients of the plan and returns its configuration. */
  configure: () => Promise<Record<string, unknown>>;
}

const common = (): Record<string, unknown> => ({
  server: {
    discoveryUrl: `${issuerUnderTest()}/.well-known/openid-configuration`,
    login_hint: person.userName,
  },
  browser: visits(),
  override: overrides(),
});

const asked = (scope: string, client: TestClient) => ({ ...client, scope });

async function staticClients(
  alias: string,
  o: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  return {
    ...common(),
    alias,
    client: asked('openid', await web('Conformance', alias, o)),
    client2: asked('openid', await web('Conformance, another', alias, o)),
    client_secret_post: await web('Conformance, by post', alias, {
      ...o,
      tokenEndpointAuthMethod: 'CLIENT_SECRET_POST',
    }),
  };
}

async function dynamicClients(): Promise<Record<string, unknown>> {
  const client = { client_name: 'Conformance', initial_access_token: await initialAccessToken() };
  return { ...common(), client, client2: { ...client, client_name: 'Conformance, another' } };
}

async function fapiClients(alias: string, scope: string, resource: string): Promise<Record<string, unknown>> {
  const client = async (name: string) => ({
    ...asked(scope, await fapi(name, alias)),
    dpop_signing_alg: 'PS256',
  });
  return {
    ...common(),
    alias,
    client: await client('fapi-1'),
    client2: await client('fapi-2'),
    resource: { resourceUrl: `${issuerUnderTest()}/${resource}`, resourceMethod: 'GET' },
  };
}

async function transmitter(alias: string): Promise<Record<string, unknown>> {
  return {
    ...common(),
    alias,
    client: asked('ssf.read ssf.manage', await receiver('Conformance receiver')),
    ssf: {
      subjects: {
        valid: { format: 'email', email: person.email },
        invalid: { format: 'email', email: 'nobody@demo.example' },
      },
      transmitter: {
        issuer: issuerUnderTest(),
        metadata_suffix: '',
        push_endpoint_authorization_header: 'Bearer push',
      },
    },
  };
}

const code = { response_type: 'code', client_registration: 'static_client' };
const fapiVariant = {
  client_auth_type: 'private_key_jwt',
  sender_constrain: 'dpop',
  authorization_request_type: 'simple',
};
const stream = (mode: 'push' | 'poll') => ({
  ssf_delivery_mode: mode,
  ssf_server_metadata: 'discovery',
  ssf_auth_mode: 'dynamic',
  client_auth_type: 'client_secret_post',
  client_registration: 'static_client',
  server_metadata: 'discovery',
});

export const plans: Record<string, Plan> = {
  config: {
    planName: 'oidcc-config-certification-test-plan',
    variant: {},
    configure: () => staticClients('config'),
  },
  'rp-initiated-logout': {
    planName: 'oidcc-rp-initiated-logout-certification-test-plan',
    variant: code,
    configure: () => staticClients('rp-logout'),
  },
  'back-channel-logout': {
    planName: 'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    variant: code,
    configure: () =>
      staticClients('back-channel', {
        backchannelLogoutUri: `${suiteOrigin}/test/a/back-channel/backchannel_logout`,
        backchannelLogoutSessionRequired: true,
      }),
  },
  basic: {
    planName: 'oidcc-basic-certification-test-plan',
    variant: { server_metadata: 'discovery', client_registration: 'static_client' },
    configure: () => staticClients('basic'),
  },
  'basic-dynamic': {
    planName: 'oidcc-basic-certification-test-plan',
    variant: { server_metadata: 'discovery', client_registration: 'dynamic_client' },
    configure: dynamicClients,
  },
  dynamic: {
    planName: 'oidcc-dynamic-certification-test-plan',
    variant: { response_type: 'code' },
    configure: dynamicClients,
  },
  fapi2: {
    planName: 'fapi2-security-profile-final-test-plan',
    variant: { ...fapiVariant, fapi_profile: 'plain_fapi', openid: 'openid_connect' },
    configure: () => fapiClients('fapi', 'openid email', 'userinfo'),
  },
  'fapi2-client-credentials': {
    planName: 'fapi2-security-profile-final-test-plan',
    variant: { ...fapiVariant, fapi_profile: 'fapi_client_credentials_grant', openid: 'plain_oauth' },
    configure: () => fapiClients('fapi-cc', 'ssf.read', 'ssf/stream'),
  },
  'ssf-push': {
    planName: 'openid-ssf-transmitter-test-plan',
    variant: { ...stream('push'), ssf_profile: 'default' },
    configure: () => transmitter('ssf-push'),
  },
  'ssf-poll': {
    planName: 'openid-ssf-transmitter-test-plan',
    variant: { ...stream('poll'), ssf_profile: 'default' },
    configure: () => transmitter('ssf-poll'),
  },
  'caep-push': {
    planName: 'openid-ssf-transmitter-caep-test-plan',
    variant: stream('push'),
    configure: () => transmitter('caep-push'),
  },
  'caep-poll': {
    planName: 'openid-ssf-transmitter-caep-test-plan',
    variant: stream('poll'),
    configure: () => transmitter('caep-poll'),
  },
};
