import { afterAll, beforeAll } from '@jest/globals';
import {
  redeem,
  signInAndAllow,
  startTestService,
  type TestService,
  type TokenAnswer,
  token,
} from './service.ts';

type Made = Awaited<ReturnType<TestService['client']>>;

export let service: TestService;
export let app: Made;
/** Confidential OpenID client that is exempt from PKCE. */
export let old: Made;

/** Starts the service with two apps, and two users: alice, and mallory who attacks alice. */
export function setUpAttackedService(): void {
  beforeAll(async () => {
    service = await startTestService();
    app = await service.client({ require_consent: false });
    old = await service.client({
      token_endpoint_auth_method: 'client_secret_post',
      require_consent: false,
      require_pkce: false,
    });
    for (const name of ['alice', 'mallory']) await service.person(name);
  });
  afterAll(() => service?.stop());
}

export const open = (path: string, headers: Record<string, string> = {}) =>
  service.browser().get(path, headers);
export const signedIn = async (userName = 'alice', client = app) => {
  const browser = service.browser();
  const { body } = await redeem(service, client, await signInAndAllow(browser, client, userName));
  return { browser, tokens: body };
};
export async function machineToken(scope: string): Promise<string> {
  const machine = await service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope,
  });
  const form = { grant_type: 'client_credentials', client_secret: machine.secret ?? '' };
  return (await token(service, machine, form)).body.access_token ?? '';
}
export const answered = (location: string | undefined) => new URL(location ?? '').searchParams;
export const outcome = (answer: TokenAnswer) => [answer.status, answer.body.error];
export const invalidGrant = [400, 'invalid_grant'];
