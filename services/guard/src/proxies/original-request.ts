import type { IncomingHttpHeaders } from 'node:http';

/** The request that a client sent to the proxy. Nothing of it is verified. */
export interface OriginalRequest {
  readonly method: string;
  /** Lower case, without a default port. */
  readonly host: string;
  /** Path and query as sent. */
  readonly target: string;
}

/** The parts of a request to the guard that can describe the original one. */
export interface AskedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

export const proxyNames = ['nginx', 'traefik', 'caddy', 'haproxy', 'envoy'] as const;
export type ProxyName = (typeof proxyNames)[number];

/** Path at which proxies ask. Envoy appends the path of the original request. */
export const verifyPath = '/verify';

/**
 * Returns the original request; undefined if a part is missing or malformed. Only the headers that this proxy
 * overwrites are read, because it passes others from the client. Node joins repeated ones with a comma and a
 * space, and then they are malformed.
 */
export function originalRequest(proxy: ProxyName, request: AskedRequest): OriginalRequest | undefined {
  const { method, host, target } = partsOf(proxy, request);
  if (!tokenForm.test(method) || !hostForm.test(host) || !targetForm.test(target)) return undefined;
  return { method, host: host.toLowerCase().replace(/:(?:80|443)$/, ''), target };
}

/** RFC 9110 §9.1 and §5.6.2 */
const tokenForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
const hostForm = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
/** A path and a query (RFC 9112 §3.2.1), without a fragment. */
const targetForm = /^\/[\x21\x22\x24-\x7e]*$/;

interface Parts {
  method: string;
  host: string;
  target: string;
}

function partsOf(proxy: ProxyName, { method = '', url = '', headers }: AskedRequest): Parts {
  const text = (name: string): string => {
    const value = headers[name];
    return typeof value === 'string' ? value : '';
  };
  if (proxy === 'nginx') {
    const [, host = '', target = ''] = /^https?:\/\/([^/?#]*)(.*)$/.exec(text('x-original-url')) ?? [];
    return { method: text('x-original-method'), host, target };
  }
  if (proxy === 'envoy') {
    const target = url.startsWith(`${verifyPath}/`) ? url.slice(verifyPath.length) : '';
    return { method, host: text('host'), target };
  }
  return {
    method: text('x-forwarded-method'),
    host: text('x-forwarded-host'),
    target: text('x-forwarded-uri'),
  };
}
