import { type AccessRule, type HostRules, readPattern, type SignInRules } from './rules.ts';

/** Error of a rules file; `problems` has one sentence per wrong value, with its place. */
export class RulesError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'RulesError';
    this.problems = problems;
  }
}

type Json = Readonly<Record<string, unknown>>;

const hostForm =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;
/** RFC 6749 §3.3 */
const scopeForm = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const nameForm = /\S/;

/** Returns the hosts of a rules file. @throws RulesError */
export function parseRules(text: string): readonly HostRules[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new RulesError(['The rules file is not valid JSON.']);
  }
  const reader = new Reader();
  const hosts = reader.file(content);
  if (reader.problems.length > 0) throw new RulesError(reader.problems);
  return hosts;
}

/** Reads values and collects the problems of all of them. */
class Reader {
  readonly problems: string[] = [];

  file(content: unknown): HostRules[] {
    const { hosts } = this.#object(content, 'The rules file', ['hosts']);
    const read = this.#list(hosts, 'hosts').map((entry, at) => this.#host(entry, `hosts[${at}]`));
    for (const [at, { host }] of read.entries()) {
      if (read.findIndex((other) => other.host === host) !== at)
        this.#wrong(`hosts[${at}].host`, 'must differ from the host of each other entry');
    }
    const withCookies = read.map(({ host, signIn }) => (signIn ? host.replace(/:\d+$/, '') : undefined));
    for (const [at, name] of withCookies.entries()) {
      if (name !== undefined && withCookies.indexOf(name) !== at)
        this.#wrong(
          `hosts[${at}].signIn`,
          'must not be at the same name as that of another entry, because browsers send cookies to all ports of a host',
        );
    }
    return read;
  }

  #host(entry: unknown, place: string): HostRules {
    const given = this.#object(entry, place, ['host', 'audience', 'origin', 'signIn', 'rules']);
    const host = this.#text(
      given.host,
      `${place}.host`,
      'must be a host in lower case, such as orders.example.com',
      (text) => hostForm.test(text),
    );
    const origin =
      given.origin === undefined
        ? `https://${host}`
        : this.#text(
            given.origin,
            `${place}.origin`,
            'must be an origin such as https://orders.example.com',
            isOrigin,
          );
    return {
      host,
      origin,
      audience: this.#text(given.audience, `${place}.audience`, 'must be a resource identifier', Boolean),
      signIn: this.#signIn(given.signIn, `${place}.signIn`, { host, origin }),
      rules: this.#list(given.rules, `${place}.rules`).map((rule, at) =>
        this.#rule(rule, `${place}.rules[${at}]`),
      ),
    };
  }

  #signIn(
    entry: unknown,
    place: string,
    { host, origin }: Pick<HostRules, 'host' | 'origin'>,
  ): SignInRules | undefined {
    if (entry === undefined) return undefined;
    const given = this.#object(entry, place, [
      'scopes',
      'lifetimeSeconds',
      'idleSeconds',
      'postLogoutRedirectUri',
    ]);
    // Browsers store the cookies only for https and loopback addresses.
    if (origin !== `https://${host}` && !/^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(origin))
      this.#wrong(
        place,
        `requires https://${host} as origin, because browsers send its cookies to this host only`,
      );
    const scopes = this.#texts(given.scopes, `${place}.scopes`, 'must be scopes', scopeForm) ?? [];
    if (scopes.includes('offline_access'))
      this.#wrong(
        `${place}.scopes`,
        'must not contain offline_access: the session ends with that at the issuer',
      );
    const { postLogoutRedirectUri: uri } = given;
    return {
      scopes: [...new Set(['openid', ...scopes])],
      lifetimeSeconds: this.#seconds(given.lifetimeSeconds, `${place}.lifetimeSeconds`, 43_200),
      idleSeconds: this.#seconds(given.idleSeconds, `${place}.idleSeconds`, 14_400),
      postLogoutRedirectUri:
        uri === undefined
          ? undefined
          : this.#text(uri, `${place}.postLogoutRedirectUri`, 'must be a URL', URL.canParse),
    };
  }

  #seconds(value: unknown, place: string, byDefault: number): number {
    const seconds = value ?? byDefault;
    if (!(Number.isInteger(seconds) && (seconds as number) > 0))
      this.#wrong(place, 'must be a whole number of seconds, at least 1');
    return seconds as number;
  }

  #rule(entry: unknown, place: string): AccessRule {
    const conditions = ['scopes', 'roles', 'groups', 'acr', 'maxAge'];
    const given = this.#object(entry, place, ['path', 'methods', 'public', ...conditions]);
    const isPublic = given.public === true;
    if (given.public !== undefined && typeof given.public !== 'boolean')
      this.#wrong(`${place}.public`, 'must be true or false');
    if (isPublic && conditions.some((name) => given[name] !== undefined))
      this.#wrong(place, `must not have ${conditions.join(', ')}, because it is public`);
    const { maxAge } = given;
    if (maxAge !== undefined && !(Number.isInteger(maxAge) && (maxAge as number) >= 0))
      this.#wrong(`${place}.maxAge`, 'must be a whole number of seconds');
    const methods = this.#texts(
      given.methods,
      `${place}.methods`,
      'must be methods in upper case',
      /^[A-Z][A-Z-]*$/,
    );
    return {
      pattern: this.#pattern(given.path, `${place}.path`),
      methods: methods && new Set(methods),
      isPublic,
      scopes: this.#texts(given.scopes, `${place}.scopes`, 'must be scopes', scopeForm) ?? [],
      roles: this.#texts(given.roles, `${place}.roles`, 'must be names of roles', nameForm),
      groups: this.#texts(given.groups, `${place}.groups`, 'must be names of groups', nameForm),
      acr: this.#texts(given.acr, `${place}.acr`, 'must be classes of the sign-in', scopeForm),
      maxAge: maxAge as number | undefined,
    };
  }

  #pattern(value: unknown, place: string): AccessRule['pattern'] {
    const pattern = typeof value === 'string' ? readPattern(value) : undefined;
    if (pattern === undefined)
      this.#wrong(
        place,
        'must be a path such as /orders, /orders/* (one segment) or /orders/** (the path and all below it)',
      );
    return pattern ?? { segments: [], folded: [], isPrefix: false };
  }

  /** Unknown members are errors, because a misspelt condition would permit more. */
  #object(value: unknown, place: string, members: readonly string[]): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#wrong(place, `must be an object with ${members.join(', ')}`);
      return {};
    }
    for (const name of Object.keys(value))
      if (!members.includes(name))
        this.#wrong(`${place}.${name}`, `is unknown; known are ${members.join(', ')}`);
    return value as Json;
  }

  #list(value: unknown, place: string): readonly unknown[] {
    if (Array.isArray(value) && value.length > 0) return value;
    this.#wrong(place, 'must be a list with at least one entry');
    return [];
  }

  #text(value: unknown, place: string, expected: string, isValid: (text: string) => boolean): string {
    if (typeof value === 'string' && isValid(value)) return value;
    this.#wrong(place, expected);
    return '';
  }

  #texts(value: unknown, place: string, expected: string, form: RegExp): readonly string[] | undefined {
    if (value === undefined) return undefined;
    const isValid =
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((one) => typeof one === 'string' && form.test(one));
    if (isValid) return value as string[];
    this.#wrong(place, `${expected}, as a list with at least one entry`);
    return [];
  }

  #wrong(place: string, reason: string): void {
    this.problems.push(`${place} ${reason}.`);
  }
}

const isOrigin = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
