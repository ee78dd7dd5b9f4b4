export interface Answer {
  status: number;
  location: string | undefined;
  headers: Headers;
  text: string;
  /** Address of the page with its query. */
  url: string;
}

/** Browser with the features that the pages need: cookies, forms, and redirects within the site. No JavaScript. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#request('GET', path, undefined, headers);
  }

  async post(
    path: string,
    form: Record<string, string> | string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
    return this.#request('POST', path, body, {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'null',
      'sec-fetch-site': 'same-origin',
      ...headers,
    });
  }

  /** Follows redirects until a page, or until the next one leaves this site. */
  async follow(answer: Answer): Promise<Answer> {
    let current = answer;
    for (let hops = 0; hops < 10 && current.location?.startsWith('/'); hops += 1)
      current = await this.get(current.location);
    return current;
  }

  /** Fills in and submits the form of a page. */
  async submit(page: Answer, fields: Record<string, string>): Promise<Answer> {
    const action = /<form[^>]* action="([^"]+)"/.exec(page.text)?.[1];
    if (action === undefined) throw new Error(`no form in ${page.url}: ${page.status}`);
    return this.post(unescaped(action), { ...hiddenFields(page), ...fields });
  }

  clone(): Browser {
    const twin = new Browser(this.#origin);
    for (const [name, value] of this.cookies) twin.cookies.set(name, value);
    return twin;
  }

  async #request(
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.#origin), {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(cookie === '' ? {} : { cookie }) },
      ...(body === undefined ? {} : { body }),
    });
    for (const text of response.headers.getSetCookie()) this.#keep(text);
    return {
      status: response.status,
      location: response.headers.get('location') ?? undefined,
      headers: response.headers,
      text: await response.text(),
      url: path,
    };
  }

  #keep(text: string): void {
    const [pair = '', ...attributes] = text.split('; ');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals);
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(equals + 1));
  }
}

export function hiddenFields(page: Answer): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const match of page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)) {
    fields[match[1] ?? ''] = unescaped(match[2] ?? '');
  }
  return fields;
}

const unescaped = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
