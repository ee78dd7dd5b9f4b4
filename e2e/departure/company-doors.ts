import { AppBrowser } from '../guard/web-app.ts';
import { type CompanyApi, companyOf } from './company.ts';
import { type AccessPath, type Answer, admitted, lasting, type OpenedAccessPath } from './probe.ts';
import { authorize, redeem, type Scene } from './scene.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Requests a token of the app for an API of the organization. */
async function tokenFor({ apps, browser, person }: Scene, { scope }: CompanyApi): Promise<string> {
  const authorization = await authorize(apps.app, browser, person.user, { scope: `openid ${scope}` });
  return (await redeem(authorization)).access_token;
}

const withToken = (
  name: string,
  api: 'jwt' | 'opaque',
  ask: (company: Awaited<ReturnType<typeof companyOf>>, token: string) => Promise<Response>,
): AccessPath => ({
  name,
  async open(scene) {
    const company = await companyOf(scene.place);
    const token = await tokenFor(scene, company[api]);
    return lasting(() => admitted(ask(company, token)));
  },
});

/** An open stream ends with its token; afterwards, no other one is opened. */
async function stream(scene: Scene): Promise<OpenedAccessPath> {
  const company = await companyOf(scene.place);
  const headers = bearer(await tokenFor(scene, company.jwt));
  const stop = new AbortController();
  const open = (signal = stop.signal) => fetch(company.at('/mcp/stream'), { headers, signal });
  const response = await open();
  if (!response.ok) throw new Error(`the stream was refused: ${response.status}`);
  let ended = false;
  const read = async () => {
    for await (const _chunk of response.body ?? []);
  };
  void read()
    .catch(() => undefined)
    .then(() => {
      ended = true;
    });
  return lasting(
    async (): Promise<Answer> => (ended ? admitted(open()) : 'open'),
    () => stop.abort(),
  );
}

/** A session of the guard, which the user began in the browser of the scene. */
async function session({ place, browser, person }: Scene): Promise<OpenedAccessPath> {
  const { app, guard } = await companyOf(place);
  const visitor = new AppBrowser(place.demo, app, browser);
  await visitor.signIn(guard, person.user);
  return lasting(async () => {
    const status = await visitor.status(guard);
    if (status === 200) return 'open';
    if (status === 302) return 'refused: 302';
    throw new Error(`neither let in nor refused: ${status}`);
  });
}

const ofGuard = 'session cookie of the guard';

/** Tokens of the app for programs of the organization. */
export const companyTokenPaths: readonly AccessPath[] = [
  withToken('token at an API of the organization, JWT', 'jwt', (company, token) =>
    fetch(company.at('/jwt'), { headers: bearer(token) }),
  ),
  withToken('token at an API of the organization, opaque', 'opaque', (company, token) =>
    fetch(company.at('/opaque'), { headers: bearer(token) }),
  ),
  withToken('token at an MCP server', 'jwt', (company, token) =>
    fetch(company.at('/mcp'), { headers: bearer(token) }),
  ),
  { name: 'open stream of an MCP server', open: stream },
  withToken('token at the guard', 'jwt', ({ guard, jwt }, token) => guard.ask(jwt, bearer(token))),
];

/** Programs of the organization, which verify tokens and sessions themselves. */
export const companyAccessPaths: readonly AccessPath[] = [
  ...companyTokenPaths,
  { name: ofGuard, open: session },
];
