import type { HeaderList } from './headers.ts';

/** Which protocol's error body the client understands. */
export const speaksScim = (url: string): boolean => /^\/t\/[^/?]*\/scim(?:[/?]|$)/.test(url);

const oauthErrors: Record<number, string> = {
  400: 'invalid_request',
  404: 'not_found',
  413: 'invalid_request',
  503: 'temporarily_unavailable',
};

/** What the edge answers by itself. */
export interface Refusal {
  status: number;
  headers: HeaderList;
  body: string;
}

/**
 * An answer in the shape of the protocol that was spoken to: a SCIM error (RFC 7644 §3.12) or an OAuth-style JSON one.
 */
export function refusal(url: string, status: number, detail: string): Refusal {
  const scim = speaksScim(url);
  const body = JSON.stringify(
    scim
      ? { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status), detail }
      : { error: oauthErrors[status] ?? 'error', error_description: detail },
  );
  const headers = [
    'cache-control',
    'no-store',
    'content-type',
    scim ? 'application/scim+json; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(body)),
  ];
  return { status, headers: status === 503 ? [...headers, 'retry-after', '2'] : headers, body };
}
