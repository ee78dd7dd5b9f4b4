import { exchangeGrant } from '../assertions.ts';
import { hiddenFields } from './browser.ts';
import { pageAs } from './planted-factors.ts';
import { enter, type Planted, refresh } from './planting.ts';
import { asking, everything, service, webConsole } from './role-groups.ts';
import { accountPath } from './second-step.ts';
import { tenant, token } from './service.ts';

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

const ofApi = (scopes: Iterable<string>): string[] =>
  [...scopes].filter((name) => everything.includes(name)).toSorted();

/** Returns the scopes that a personal access token has now. */
const liveScopes = async (text: string): Promise<string[]> => {
  const found = await service.deps.apiTokenReader.find(text);
  if (!found) throw new Error('The personal access token was not found.');
  return ofApi(found.scopes);
};

/** Signs in with the password and returns the scopes of the API in a token of each kind. */
export const plantedTokens = {
  'an authorization code': async ({ userName }, password) =>
    ofApi((await enter(userName, { password })).scopes),
  'a refresh token': async ({ userName }, password) =>
    ofApi((await refresh(await enter(userName, { password }))).scopes),
  'a device code': async (person, password) => {
    const scope = ['openid', ...everything].join(' ');
    const device = await service.client({
      application_type: 'native',
      grant_types: [deviceGrant, 'refresh_token'],
      scope,
    });
    const response = await fetch(`${service.origin}/t/${tenant}/device_authorization`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: device.clientId, scope }),
    });
    const codes = (await response.json()) as { device_code: string; user_code: string };
    const browser = service.browser();
    const entry = await browser.get(`/t/${tenant}/device`);
    const login = await browser.follow(await browser.submit(entry, { user_code: codes.user_code }));
    const fields = { username: person.userName, password, action: 'sign-in' };
    const question = await browser.follow(await browser.submit(login, fields));
    await browser.submit(question, { action: 'allow' });
    const form = { grant_type: deviceGrant, device_code: codes.device_code };
    const { status, body } = await token(service, device, form);
    if (status !== 200) throw new Error(`The device code was rejected: ${JSON.stringify(body)}`);
    return ofApi((body.scope ?? '').split(' '));
  },
  'a token exchange': async ({ userName }, password) => {
    const exchanger = await service.client({
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials', exchangeGrant],
      redirect_uris: [],
      scope: ['openid', ...everything].join(' '),
      token_exchange_subject_clients: [webConsole.clientId],
    });
    const { accessToken } = await enter(userName, { password });
    const { status, body } = await token(service, exchanger, {
      grant_type: exchangeGrant,
      client_secret: exchanger.secret ?? '',
      subject_token: accessToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    });
    if (status !== 200) throw new Error(`The exchange was rejected: ${JSON.stringify(body)}`);
    return ofApi((body.scope ?? '').split(' '));
  },
  'a personal access token over REST': async ({ userName }, password) => {
    const { accessToken } = await enter(userName, { password });
    const response = await fetch(`${service.origin}/t/${tenant}/personal-access-tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Script' }),
    });
    return liveScopes(((await response.json()) as { token: string }).token);
  },
  'a personal access token of the graph': async ({ userName }, password) => {
    const { accessToken } = await enter(userName, { password });
    const { data } = await asking.ask(
      `mutation { createPersonalAccessToken(input: { name: "Script" }) { token } }`,
      {},
      accessToken,
    );
    return liveScopes(data.createPersonalAccessToken.token);
  },
  'a personal access token of the account page': async (person, password) => {
    const browser = service.browser();
    const page = await pageAs(browser, person, '/tokens', password);
    const offered = [...page.text.matchAll(/name="scope" value="([^"]+)"/g)].map((match) => match[1] ?? '');
    const form = new URLSearchParams({ ...hiddenFields(page), name: 'Script', days: '7' });
    for (const scope of offered) form.append('scope', scope);
    const made = await browser.follow(await browser.post(`${accountPath}/tokens`, form.toString()));
    return liveScopes(/ost_[a-z]+_[A-Za-z0-9]+/.exec(made.text)?.[0] ?? '');
  },
} satisfies Record<string, (person: Planted, password: string) => Promise<string[]>>;
