import { isJsonObject } from './json.ts';
import { SCIM_ERROR } from './urns.ts';

/** Detail error keywords: RFC 7644 §3.12 table 9, and RFC 9865 §2.2 for the cursor ones. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'
  | 'invalidCursor'
  | 'expiredCursor'
  | 'invalidCount';

const scimTypes: ReadonlySet<string> = new Set<ScimType>([
  'invalidFilter',
  'tooMany',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
  'invalidVers',
  'sensitive',
  'invalidCursor',
  'expiredCursor',
  'invalidCount',
]);

/** The body of an error response (RFC 7644 §3.12). `status` is the HTTP status code as a string. */
export interface ScimErrorBody {
  schemas: string[];
  status: string;
  scimType?: ScimType;
  detail: string;
}

/**
 * An error sent to a SCIM client. `detail` is written for the client: it may quote the request, never
 * internal data.
 */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType?: ScimType;
  readonly detail: string;
  /** Detail for the graph, where `detail` refers to SCIM's own parameters. */
  readonly inGraph?: string;

  constructor(status: number, detail: string, scimType?: ScimType, inGraph?: string) {
    super(detail);
    this.status = status;
    this.detail = detail;
    if (inGraph !== undefined) this.inGraph = inGraph;
    if (scimType !== undefined) this.scimType = scimType;
  }

  /** HTTP status under the property name that Fastify reads. */
  get statusCode(): number {
    return this.status;
  }

  /** The Error message body (RFC 7644 §3.12). */
  toJSON(): ScimErrorBody {
    const body: ScimErrorBody = { schemas: [SCIM_ERROR], status: String(this.status), detail: this.detail };
    if (this.scimType !== undefined) body.scimType = this.scimType;
    return body;
  }

  /** Parses an error message body, such as another service's response; undefined if it is not one. */
  static fromJSON(body: unknown): ScimError | undefined {
    if (!isJsonObject(body) || !Array.isArray(body.schemas) || !body.schemas.includes(SCIM_ERROR))
      return undefined;
    const status = Number(body.status);
    if (!Number.isInteger(status) || status < 400 || status > 599) return undefined;
    const scimType =
      typeof body.scimType === 'string' && scimTypes.has(body.scimType) ? body.scimType : undefined;
    const detail = typeof body.detail === 'string' ? body.detail : '';
    return new ScimError(status, detail, scimType as ScimType | undefined);
  }

  /** 400: the filter is malformed, or the operator does not fit the attribute. */
  static invalidFilter(detail: string): ScimError {
    return new ScimError(400, detail, 'invalidFilter');
  }
  /** 400: the query yields more results than the server is willing to return. */
  static tooMany(detail: string, inGraph?: string): ScimError {
    return new ScimError(400, detail, 'tooMany', inGraph);
  }
  /** 409: a value that must be unique is in use. */
  static uniqueness(detail: string): ScimError {
    return new ScimError(409, detail, 'uniqueness');
  }
  /** 400: a readOnly attribute, or an immutable one that has a value already, was to be modified. */
  static mutability(detail: string): ScimError {
    return new ScimError(400, detail, 'mutability');
  }
  /** 400: the body is not JSON, or not a message of the expected form. */
  static invalidSyntax(detail: string): ScimError {
    return new ScimError(400, detail, 'invalidSyntax');
  }
  /** 400: the `path` of a PATCH operation (or `sortBy`) is malformed or unknown. */
  static invalidPath(detail: string): ScimError {
    return new ScimError(400, detail, 'invalidPath');
  }
  /** 400: the `path` of a PATCH operation selects no value. */
  static noTarget(detail: string): ScimError {
    return new ScimError(400, detail, 'noTarget');
  }
  /** 400: a required value is missing, or a value does not fit its attribute. */
  static invalidValue(detail: string): ScimError {
    return new ScimError(400, detail, 'invalidValue');
  }
  /** 400: the protocol version in the URL is not supported. */
  static invalidVers(detail: string): ScimError {
    return new ScimError(400, detail, 'invalidVers');
  }
  /** 403: the request carries sensitive information in its URL (RFC 7644 §7.5.2). */
  static sensitive(detail: string): ScimError {
    return new ScimError(403, detail, 'sensitive');
  }
  /** 400: this server did not issue the cursor for this query (RFC 9865 §2.2). */
  static invalidCursor(detail: string): ScimError {
    return new ScimError(400, detail, 'invalidCursor');
  }
  /** 400: the cursor has expired (RFC 9865 §2.2). */
  static expiredCursor(detail: string): ScimError {
    return new ScimError(400, detail, 'expiredCursor');
  }
  /** 400: `count` differs from that of the cursor, or exceeds the maximum (RFC 9865 §2.2). */
  static invalidCount(detail: string): ScimError {
    return new ScimError(400, detail, 'invalidCount');
  }
  /** 400 without a keyword, if none applies. */
  static badRequest(detail: string): ScimError {
    return new ScimError(400, detail);
  }
  /** 401: credentials are missing or invalid. */
  static unauthorized(detail = 'Authentication is required.'): ScimError {
    return new ScimError(401, detail);
  }
  /** 403: the credentials do not permit the operation. */
  static forbidden(detail = 'The operation is not permitted.'): ScimError {
    return new ScimError(403, detail);
  }
  /** 404: no such resource, or a resource of another tenant. */
  static notFound(detail = 'The resource was not found.'): ScimError {
    return new ScimError(404, detail);
  }
  /** 405: the endpoint does not support this method. */
  static methodNotAllowed(detail = 'The method is not allowed here.'): ScimError {
    return new ScimError(405, detail);
  }
  /** 409 without a keyword: the state of the resource does not permit the operation. */
  static conflict(detail: string): ScimError {
    return new ScimError(409, detail);
  }
  /** 412: `If-Match` names another version than the current one. */
  static preconditionFailed(detail = 'The resource has changed: its version does not match.'): ScimError {
    return new ScimError(412, detail);
  }
  /** 413: the body is too large, or has too many operations. */
  static payloadTooLarge(detail: string): ScimError {
    return new ScimError(413, detail);
  }
  /** 415: the body has another media type. */
  static unsupportedMediaType(detail = 'Send application/scim+json or application/json.'): ScimError {
    return new ScimError(415, detail);
  }
  /** 429: too many requests. */
  static tooManyRequests(detail = 'Too many requests. Retry later.'): ScimError {
    return new ScimError(429, detail);
  }
  /** 500, without the reason, which is only logged. */
  static internal(): ScimError {
    return new ScimError(500, 'The server met an unexpected condition.');
  }
  /** 501: not supported by this server. */
  static notImplemented(detail: string): ScimError {
    return new ScimError(501, detail);
  }
  /** 503: a dependency is unavailable. */
  static unavailable(detail = 'The service is temporarily unavailable.'): ScimError {
    return new ScimError(503, detail);
  }
}

/** Returns at most 60 characters of client input, quoted, with control characters escaped, for a `detail`. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
