import type { GuardAnswer, TestGuard } from './guard.ts';

/** Headers of a page load. */
export const pageLoad = {
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
};

/** A browser at the host of an app, with its cookies, that asks the guard as the proxy does. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #guard: TestGuard;
  readonly #host: string;

  constructor(guard: TestGuard, host = 'orders.example') {
    this.#guard = guard;
    this.#host = host;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Requests a page of the app. */
  async load(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<GuardAnswer> {
    const sent = { 'x-forwarded-host': this.#host, ...pageLoad, cookie: this.cookie, ...headers };
    return this.#guard.request(path, sent, method);
  }

  /** Requests a path of the guard on the host of the app, and stores its cookies. */
  async open(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<GuardAnswer> {
    const sent = { host: this.#host, ...pageLoad, cookie: this.cookie, ...headers };
    const answer = await this.#guard.ask(sent, path, method);
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** Begins a sign-in. @returns the authorization request */
  async begin(returnTo = '/'): Promise<URL> {
    const { headers, status } = await this.open(`/.ostiary/sign-in?return=${encodeURIComponent(returnTo)}`);
    if (headers.location === undefined) throw new Error(`no redirect: ${status}`);
    return new URL(headers.location);
  }
}
