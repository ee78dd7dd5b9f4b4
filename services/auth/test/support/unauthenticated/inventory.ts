import { randomUUID } from 'node:crypto';
import {
  deviceCodeGuesses,
  maxPushedBytes,
  passkeysOfAddress,
} from '../../../src/platform/limits/domain/shared-limits.ts';
import { hiddenFields } from '../sign-in/browser.ts';
import { authorizeUrl, callback, tenant } from '../sign-in/service.ts';
import {
  account,
  accountForm,
  counter,
  device,
  form,
  from,
  guesses,
  guessing,
  interaction,
  limits,
  long,
  longRequest,
  opening,
  proofs,
  proofsAtToken,
  service,
  type Writing,
  web,
} from './writing.ts';

/** Data that each open route stores; an empty list is none. */
export const inventory: Readonly<Record<string, readonly Writing[]>> = {
  'GET /livez': [],
  'GET /readyz': [],
  'GET /.well-known/oauth-authorization-server/t/:tenant': [],
  'GET /.well-known/ssf-configuration/t/:tenant': [],
  'GET /t/:tenant/.well-known/openid-configuration': [],
  'GET /t/:tenant/.well-known/oauth-authorization-server': [],
  'GET /t/:tenant/jwks': [],
  'GET /t/:tenant/logo/:digest': [],
  'GET /t/:tenant/clients/:client/logo/:digest': [],
  'GET /t/:tenant/authorize': [
    {
      what: 'the request, while the person signs in',
      ...interaction,
      // A query of at most 12 KiB, or a pushed request of 16 KiB, sealed.
      bytes: 40_000,
      prepare: opening(longRequest),
    },
    {
      what: 'a count of the request objects fetched because of it',
      ...counter,
      bound: limits.REQUEST_URIS_PER_MINUTE,
      perSecond: 1,
      prepare: async () => {
        const request_uri = 'http://127.0.0.1:4/request';
        const asking = await service.client({ request_uris: [request_uri] });
        return opening(() => authorizeUrl(asking, { request_uri }))();
      },
    },
  ],
  'POST /t/:tenant/authorize': [],
  'GET /t/:tenant/login': [],
  'POST /t/:tenant/login': [
    {
      what: 'counts of guesses',
      ...guesses,
      prepare: guessing('login', () => ({
        username: `nobody-${randomUUID()}`,
        password: 'x',
        action: 'sign-in',
      })),
    },
    {
      what: 'how it ended, for a moment, when it is cancelled: another sign-in begun',
      ...interaction,
      bytes: 8_000,
      keys: 1,
      prepare: async () => async (address) => {
        const browser = service.browser();
        const begun = await browser.get(authorizeUrl(web), from(address));
        if (begun.status === 429) return 429;
        const fields = hiddenFields(await browser.follow(begun));
        return (await browser.post(`/t/${tenant}/login`, { ...fields, action: 'cancel' }, from(address)))
          .status;
      },
    },
  ],
  'GET /t/:tenant/login/verify': [],
  // Stores data only after a correct password.
  'POST /t/:tenant/login/verify': [],
  'POST /t/:tenant/login/passkey': [
    {
      what: 'a count, and rows of the sign-in log',
      ...counter,
      rows: 1,
      bound: passkeysOfAddress.free,
      perSecond: 1,
      prepare: guessing('login/passkey', () => ({ credential: '{}' })),
    },
  ],
  'GET /t/:tenant/login/recover': [],
  'POST /t/:tenant/login/recover': [
    {
      what: 'counts of guesses',
      ...guesses,
      prepare: guessing('login/recover', () => ({
        username: `nobody-${randomUUID()}`,
        code: 'AAAAA-AAAAA',
        action: 'recover',
      })),
    },
  ],
  'GET /t/:tenant/select-account': [],
  'POST /t/:tenant/select-account': [],
  'GET /t/:tenant/consent': [],
  'POST /t/:tenant/consent': [],
  'GET /t/:tenant/invitation': [],
  'POST /t/:tenant/invitation': [],
  'GET /t/:tenant/logout': [],
  'POST /t/:tenant/logout': [],
  'GET /t/:tenant/signed-out': [],
  'GET /t/:tenant/device': [],
  'GET /t/:tenant/device/finished': [],
  'POST /t/:tenant/device': [
    {
      what: 'counts: of the address, and of each browser that it seems to be',
      ...counter,
      bound: deviceCodeGuesses.address.free,
      perSecond: 1,
      keys: 1,
      prepare: async () => async (address) => {
        const browser = service.browser();
        const page = await browser.get(`/t/${tenant}/device`, from(address));
        const fields = { ...hiddenFields(page), user_code: 'BBBB-BBBB' };
        return (await browser.post(`/t/${tenant}/device`, fields, from(address))).status;
      },
    },
  ],
  'POST /t/:tenant/device_authorization': [
    {
      what: 'a device that waits',
      bound: limits.DEVICE_REQUESTS_PER_MINUTE,
      perSecond: 1,
      keys: 2,
      rows: 0,
      bytes: 3_000,
      seconds: 1_300,
      prepare: async () => (address) =>
        form(
          `/t/${tenant}/device_authorization`,
          { client_id: device.clientId, scope: 'openid' },
          from(address),
        ),
    },
  ],
  'POST /t/:tenant/par': [
    {
      what: 'the request',
      bound: limits.PUSHED_REQUESTS_PER_MINUTE,
      perSecond: 1,
      keys: 1,
      rows: 0,
      // 16 KiB, sealed.
      bytes: 2 * maxPushedBytes,
      // The request for a minute; the counter of the address for 66 s, because it may exceed the limit by 10 %.
      seconds: 67,
      prepare: async () => (address) => {
        const { searchParams } = new URL(longRequest(), service.origin);
        const more = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`more${at}`, long]));
        const fields = { ...Object.fromEntries(searchParams), ...more };
        return form(`/t/${tenant}/par`, fields, from(address));
      },
    },
    proofs('par', { response_type: 'code', redirect_uri: `${callback}/unknown` }),
  ],
  'POST /t/:tenant/token': [proofsAtToken],
  'POST /t/:tenant/revoke': [],
  'POST /t/:tenant/introspect': [],
  'GET /t/:tenant/revocations': [],
  'POST /t/:tenant/revocations': [],
  'GET /t/:tenant/account': [account('account')],
  'GET /t/:tenant/account/password': [account('account/password')],
  'GET /t/:tenant/account/passkeys': [account('account/passkeys')],
  'GET /t/:tenant/account/totp': [account('account/totp')],
  'GET /t/:tenant/account/recovery-codes': [account('account/recovery-codes')],
  'GET /t/:tenant/account/tokens': [account('account/tokens')],
  'GET /t/:tenant/account/tokens/made': [account('account/tokens/made')],
  'POST /t/:tenant/account/password': [accountForm('account/password')],
  'POST /t/:tenant/account/passkeys': [accountForm('account/passkeys')],
  'POST /t/:tenant/account/passkeys/remove': [accountForm('account/passkeys/remove')],
  'POST /t/:tenant/account/totp': [accountForm('account/totp')],
  'POST /t/:tenant/account/totp/remove': [accountForm('account/totp/remove')],
  'POST /t/:tenant/account/recovery-codes': [accountForm('account/recovery-codes')],
  'POST /t/:tenant/account/tokens': [accountForm('account/tokens')],
  'POST /t/:tenant/account/tokens/revoke': [accountForm('account/tokens/revoke')],
  'POST /t/:tenant/account/apps/withdraw': [accountForm('account/apps/withdraw')],
  'POST /t/:tenant/account/sessions/end': [accountForm('account/sessions/end')],
  'POST /t/:tenant/account/sessions/end-others': [accountForm('account/sessions/end-others')],
};
