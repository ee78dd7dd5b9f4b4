import { isSignedIn } from '../support/sign-in.ts';

/** Result of one request. Unavailable: no answer, or a temporary error. */
export type Outcome = 'open' | 'closed' | 'unavailable';

export interface Answer {
  outcome: Outcome;
  /** The user that the answer names, if it names one. */
  who?: string | undefined;
  /** Status or error of the answer, for the report. */
  said: string;
}

/** Timeout of one request in milliseconds. */
export const patienceMs = 4_000;

export interface Raw {
  status: number;
  location: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  body: any;
  cookies: string[];
}

/** Sends one request; undefined without an answer. */
export async function ask(url: string, init: RequestInit = {}): Promise<Raw | undefined> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return {
      status: response.status,
      location: response.headers.get('location'),
      body: isJson && text !== '' ? JSON.parse(text) : text,
      cookies: response.headers.getSetCookie(),
    };
  } catch {
    return undefined;
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

const unavailable = (said: string): Answer => ({ outcome: 'unavailable', said });

function answerOf(raw: Raw | undefined, who: (body: Raw['body']) => string | undefined): Answer {
  if (raw === undefined) return unavailable('no answer');
  if (raw.status === 200) return { outcome: 'open', who: who(raw.body), said: '200' };
  if (raw.status === 401 || raw.status === 403) return { outcome: 'closed', said: String(raw.status) };
  return unavailable(String(raw.status));
}

/** Requests `me` at a gateway or a subgraph. */
export async function graphAccessPath(origin: string, token: string): Promise<Answer> {
  const raw = await ask(`${origin}/graphql`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: '{"query":"{ me { id } }"}',
  });
  if (raw?.status !== 200) return answerOf(raw, () => undefined);
  if (raw.body.data?.me?.id) return { outcome: 'open', who: raw.body.data.me.id, said: '200' };
  const code = String(raw.body.errors?.[0]?.extensions?.code ?? 'nobody');
  return { outcome: code === 'UNAUTHENTICATED' ? 'closed' : 'unavailable', said: code };
}

export async function userinfoAccessPath(origin: string, tenant: string, token: string): Promise<Answer> {
  const raw = await ask(`${origin}/t/${tenant}/userinfo`, { headers: bearer(token) });
  return answerOf(raw, (body) => body.sub);
}

export async function scimAccessPath(origin: string, tenant: string, token: string): Promise<Answer> {
  const raw = await ask(`${origin}/t/${tenant}/scim/v2/Me`, { headers: bearer(token) });
  return answerOf(raw, (body) => body.id);
}

export async function introspectionAccessPath(
  origin: string,
  tenant: string,
  api: { client_id: string; client_secret: string },
  token: string,
): Promise<Answer> {
  const raw = await ask(`${origin}/t/${tenant}/introspect`, {
    method: 'POST',
    headers: basic(api.client_id, api.client_secret),
    body: new URLSearchParams({ token }),
  });
  const answer = answerOf(raw, (body) => body.sub);
  return answer.outcome === 'open' && raw?.body.active !== true
    ? { outcome: 'closed', said: 'inactive' }
    : answer;
}

/** Requests tokens with a refresh token or a code; the issued ones are in `tokens`. */
export async function tokenAccessPath(
  origin: string,
  tenant: string,
  form: Record<string, string>,
): Promise<Answer & { tokens?: { access_token: string; refresh_token: string } }> {
  const raw = await ask(`${origin}/t/${tenant}/token`, { method: 'POST', body: new URLSearchParams(form) });
  if (raw?.status === 200) return { outcome: 'open', said: '200', tokens: raw.body };
  if (raw?.status === 400 && raw.body.error === 'invalid_grant') {
    return { outcome: 'closed', said: String(raw.body.error_description ?? 'invalid_grant') };
  }
  return answerOf(raw, () => undefined);
}

/** Requests a code with the browser session and `prompt=none`. */
export async function sessionAccessPath(
  origin: string,
  tenant: string,
  clientId: string,
  cookie: string,
): Promise<Answer> {
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1:53123/callback',
    scope: 'openid',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    state: 'x',
    prompt: 'none',
  });
  const raw = await ask(`${origin}/t/${tenant}/authorize?${query}`, { headers: { cookie } });
  if (raw?.location) {
    const { searchParams } = new URL(raw.location, origin);
    const error = searchParams.get('error') ?? '';
    if (isSignedIn(searchParams)) return { outcome: 'open', said: error || 'a code' };
    if (error === 'login_required') return { outcome: 'closed', said: error };
    return unavailable(error);
  }
  return unavailable(raw === undefined ? 'no answer' : String(raw.status));
}
