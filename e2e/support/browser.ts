import { type HTMLElement, parse } from 'node-html-parser';
import { CookieJar } from 'tough-cookie';

export interface Page {
  url: URL;
  status: number;
  headers: Headers;
  html: string;
  root: HTMLElement;
}

/**
 * A headless browser: stores cookies, follows redirects one by one, and finds and submits the forms of a page with
 * their values. It stops at the first redirect to another origin.
 */
export class Browser {
  readonly cookies = new CookieJar(undefined, { allowSpecialUseDomain: true, rejectPublicSuffixes: false });
  readonly #home: string;

  constructor(origin: string) {
    this.#home = origin;
  }

  /** Opens a URL and follows redirects to a page, or to the first URL of another origin. */
  async open(address: string | URL, init: RequestInit = {}): Promise<Page> {
    let url = new URL(address);
    let request = init;
    for (let hops = 0; hops < 10; hops += 1) {
      const response = await this.#fetch(url, request);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || !location) return pageOf(url, response);
      url = new URL(location, url);
      if (url.origin !== this.#home) return { ...(await pageOf(url, response)), url };
      request = {};
    }
    throw new Error('too many redirects');
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    const cookie = await this.cookies.getCookieString(url.href);
    const headers = new Headers(init.headers);
    if (!headers.has('accept')) headers.set('accept', 'text/html');
    if (cookie) headers.set('cookie', cookie);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) await this.cookies.setCookie(set, url.href);
    return response;
  }

  /**
   * Fills in the page's form and presses a button.
   * @param fields input name or type (`username`, `password`) → value
   * @param button text on the button, default the first one
   */
  async submit(page: Page, fields: Record<string, string> = {}, button?: RegExp): Promise<Page> {
    const form = page.root.querySelector('form');
    if (!form) throw new Error(`no form at ${page.url}: ${page.status} ${page.root.text.slice(0, 300)}`);
    const values = new URLSearchParams();
    for (const input of form.querySelectorAll('input')) {
      const name = input.getAttribute('name');
      if (!name || (input.getAttribute('type') === 'checkbox' && !input.hasAttribute('checked'))) continue;
      const kind = input.getAttribute('autocomplete') ?? input.getAttribute('type') ?? '';
      const key = Object.keys(fields).find(
        (field) => field === name || kind.startsWith(field) || kind.endsWith(field),
      );
      values.append(name, key === undefined ? (input.getAttribute('value') ?? '') : (fields[key] ?? ''));
    }
    const pressed = form
      .querySelectorAll('button')
      .find(
        (candidate) =>
          candidate.getAttribute('type') !== 'button' && (!button || button.test(candidate.text)),
      );
    const pressedName = pressed?.getAttribute('name');
    if (pressedName) values.append(pressedName, pressed?.getAttribute('value') ?? '');
    const action = new URL(form.getAttribute('action') || page.url, page.url);
    return this.open(action, {
      method: (form.getAttribute('method') ?? 'GET').toUpperCase(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: this.#home },
      body: values.toString(),
    });
  }
}

async function pageOf(url: URL, response: Response): Promise<Page> {
  const html = await response.text();
  return { url, status: response.status, headers: response.headers, html, root: parse(html) };
}
