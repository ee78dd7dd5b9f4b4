import type { DemoTenant } from './demo.ts';

export interface ScimAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any JSON
  body: any;
}

/** A SCIM client that sends plain HTTP requests, like Entra and Okta. */
export class ScimClient {
  readonly #base: string;
  readonly #token: string | undefined;

  constructor(tenant: Pick<DemoTenant, 'scim'>, token: string | undefined) {
    this.#base = tenant.scim;
    this.#token = token;
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ScimAnswer> {
    const response = await fetch(path.startsWith('http') ? path : `${this.#base}${path}`, {
      method,
      headers: {
        accept: 'application/scim+json',
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  async createUser(user: Record<string, unknown>): Promise<{ id: string }> {
    const answer = await this.call('POST', '/Users', { schemas: [userSchema], ...user });
    if (answer.status !== 201)
      throw new Error(`creating a user: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as { id: string };
  }

  patch(path: string, operations: readonly unknown[]): Promise<ScimAnswer> {
    return this.call('PATCH', path, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: operations,
    });
  }
}

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';
export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
