import { expect } from '@jest/globals';
import type { ScimAnswer, ScimClient } from '../../support/scim.ts';

/** One request of an identity source, and the expected response. Strings may contain `{{names}}` of earlier values. */
export interface Step {
  /** Action of the identity source. */
  what: string;
  send: readonly [method: string, path: string];
  body?: unknown;
  /** Status and partial body; `null` is a response without a body. */
  hear: { status: number; body?: unknown };
  /** Paths in the body that must be absent or an empty list. */
  lacks?: readonly (readonly string[])[];
  /** Values to keep: name → path in the body, such as `Resources.0.id`. */
  keep?: Readonly<Record<string, string>>;
  /** State of the user after the request. */
  after?: 'exists' | 'departed' | 'returned';
}

/** Plays the steps of one identity source in order, through the edge of the running system. */
export class Session {
  readonly #scim: ScimClient;
  readonly #names: Map<string, string>;

  constructor(scim: ScimClient, names: Readonly<Record<string, string>>) {
    this.#scim = scim;
    this.#names = new Map(Object.entries(names));
  }

  name(name: string): string {
    const value = this.#names.get(name);
    if (value === undefined) throw new Error(`nothing has said yet what {{${name}}} is`);
    return value;
  }

  async play(step: Step): Promise<ScimAnswer> {
    const [method, path] = step.send;
    const body = step.body === undefined ? undefined : this.#filled(step.body);
    const answer = await this.#scim.call(method, asAddress(String(this.#filled(path))), body);
    expect({ step: step.what, status: answer.status, body: answer.body }).toMatchObject({
      step: step.what,
      status: step.hear.status,
    });
    const wanted = this.#filled(step.hear.body);
    if (wanted === null) expect(answer.body).toBeUndefined();
    else if (wanted !== undefined) expect(answer.body).toMatchObject(wanted as object);
    for (const place of step.lacks ?? []) expect(valueAt(answer.body, place) ?? []).toEqual([]);
    for (const [name, place] of Object.entries(step.keep ?? {})) {
      this.#names.set(name, String(valueAt(answer.body, place.split('.'))));
    }
    return answer;
  }

  #filled(value: unknown): unknown {
    if (typeof value === 'string')
      return value.replace(/\{\{(\w+)\}\}/g, (_, name: string) => this.name(name));
    if (Array.isArray(value)) return value.map((item) => this.#filled(item));
    if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#filled(inner)]));
  }
}

/** Excludes Jest's matchers, which must stay as they are. */
const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype;

/** Encodes the filter of a path. */
function asAddress(path: string): string {
  const [address, query] = path.split(/\?(.*)/s);
  if (query === undefined) return path;
  const parameters = query.split('&').map((parameter) => {
    const [name, value] = parameter.split(/=(.*)/s);
    return `${name}=${encodeURIComponent(value ?? '')}`;
  });
  return `${address}?${parameters.join('&')}`;
}

const valueAt = (body: unknown, place: readonly string[]): unknown =>
  place.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
