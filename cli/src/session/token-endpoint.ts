import { Failure } from '../failure.ts';
import { type Answer, ask, objectOf } from '../http.ts';

export interface IssuedTokens {
  accessToken: string;
  /** Lifetime in seconds. */
  expiresIn: number;
  refreshToken?: string;
  scope: string;
}

/** Error response of the server (RFC 6749 §5.2). */
export class OAuthFailure extends Failure {
  readonly error: string;

  constructor(error: string, description: string, next: string | readonly string[] = []) {
    super(
      error === 'temporarily_unavailable' || error === 'server_error' ? 'unreachable' : 'denied',
      description,
      next,
    );
    this.error = error;
  }
}

export interface ClientSecret {
  id: string;
  secret: string;
}

/** Posts a form to an OAuth endpoint, as a confidential client or a public one (`client_id` in the form). */
export function postForm(
  url: string,
  form: Record<string, string>,
  client?: ClientSecret,
  signal?: AbortSignal,
): Promise<Answer> {
  const pair = client && `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`;
  return ask(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(pair === undefined ? {} : { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }),
    },
    body: new URLSearchParams(form).toString(),
    ...(signal ? { signal } : {}),
  });
}

/** @throws OAuthFailure with the error of the server */
export function tokensOf(answer: Answer): IssuedTokens {
  const body = objectOf(answer, 'The token endpoint');
  const { access_token: accessToken, expires_in: expiresIn, refresh_token: refreshToken, scope } = body;
  if (answer.status === 200 && typeof accessToken === 'string') {
    return {
      accessToken,
      expiresIn: typeof expiresIn === 'number' ? expiresIn : 60,
      ...(typeof refreshToken === 'string' ? { refreshToken } : {}),
      scope: typeof scope === 'string' ? scope : '',
    };
  }
  throw oauthFailure(body, answer.status);
}

export function oauthFailure(body: Record<string, unknown>, status: number): OAuthFailure {
  const error =
    typeof body.error === 'string' ? body.error : status >= 500 ? 'server_error' : `status ${status}`;
  const text = [body.error_description, body.message].find((value) => typeof value === 'string');
  return new OAuthFailure(error, text ? `${text} (${error})` : `The server rejects the request: ${error}.`);
}
