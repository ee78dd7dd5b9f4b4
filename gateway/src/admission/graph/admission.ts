import type { Principal } from '@ostiary/access';
import {
  answer,
  badRequest,
  isNestedTooDeeply,
  nestedTooDeeply,
  rateLimited,
  type Spend,
} from '@ostiary/graph';
import { type Allowance, type Rates, windowSeconds } from '@ostiary/service/rates';
import type { FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { GraphQLError } from 'graphql';
import { callerOf, isNetwork } from '../domain/caller.ts';
import { type Charged, priceOfReading } from '../domain/charge.ts';
import {
  idOf,
  mistakeIn,
  mostSpreads,
  type OperationRequest,
  spreadsIn,
  withoutPersistedQuery,
} from '../domain/operation-request.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

export interface Budget {
  rates: Rates;
  /** Points per minute of a caller with a token. */
  points: number;
  /** Points per minute of a network without a token, which can read only the schema. */
  anonymousPoints: number;
}

export interface AdmissionOptions {
  budget?: Budget | undefined;
  documents?: TrustedDocuments | undefined;
  documentsOnly: boolean;
}

/** Decides, before an operation is parsed, whether this gateway executes it for this caller. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** For requests over HTTP, after the token was verified and the body read. */
  readonly preHandler: preHandlerAsyncHookHandler = async (request, reply) => {
    const caller = callerOf(request.principal, request.ip);
    const sent = sentBy(request);
    const text = typeof sent.query === 'string' ? sent.query : undefined;
    const allowance = await this.#charge(caller, priceOfReading(text));
    if (allowance) show(allowance, (name, value) => void reply.header(name, value));
    if (allowance && !allowance.allowed) return refuse(reply, rateLimited(allowance.resetSeconds));
    const admitted = this.#resolve(sent, request.principal);
    if (admitted instanceof GraphQLError) return refuse(reply, admitted);
    // A GET has no body of its own. Its body then holds the operation for which the id in the address stands.
    if (request.method === 'POST' || admitted !== sent) request.body = admitted;
  };

  /**
   * Admits an operation that arrives over another transport, such as a WebSocket.
   * @returns the operation with its text, or the error with which it is rejected
   */
  async operation<R extends OperationRequest>(
    sent: R,
    by: { principal: Principal | undefined; address: string },
  ): Promise<R | GraphQLError> {
    const text = typeof sent.query === 'string' ? sent.query : undefined;
    const allowance = await this.#charge(callerOf(by.principal, by.address), priceOfReading(text));
    if (allowance && !allowance.allowed) return rateLimited(allowance.resetSeconds);
    return this.#resolve(sent, by.principal);
  }

  /** Charges an operation when its cost is known. */
  readonly spend: Spend<Charged> = async (cost, context, headers) => {
    const { caller } = context;
    if (caller === undefined) return;
    context.charged ??= await this.#charge(caller, cost);
    const allowance = context.charged;
    if (!allowance) return;
    show(allowance, (name, value) => headers.set(name, value));
    if (!allowance.allowed) throw rateLimited(allowance.resetSeconds);
  };

  async #charge(caller: string, points: number): Promise<Allowance | undefined> {
    const { budget } = this.#options;
    if (!budget) return undefined;
    const limit = isNetwork(caller) ? budget.anonymousPoints : budget.points;
    return budget.rates.take(caller, limit, points);
  }

  #resolve<R extends OperationRequest>(sent: R, principal: Principal | undefined): R | GraphQLError {
    const { documents, documentsOnly } = this.#options;
    const id = idOf(sent);
    const text = id === undefined ? undefined : documents?.textOf(id);
    if (text !== undefined) {
      // The WebSocket protocol requires a text, so an empty text counts as none.
      const alone = sent.query === undefined || sent.query === null || sent.query === '';
      if (!alone && sent.query !== text) {
        return badRequest('The operation does not match the document with this id.');
      }
      const { documentId: _, ...rest } = withoutPersistedQuery(sent);
      return { ...(rest as R), query: text };
    }
    const mistake = mistakeIn(sent);
    if (mistake) return badRequest(mistake);
    const isText = typeof sent.query === 'string';
    if (isText && documents?.has(sent.query as string)) return sent;
    if (sent.documentId !== undefined && sent.documentId !== null) return notInList();
    if (documentsOnly) return isText ? idRequired() : notInList();
    // The parser recurses with each level.
    if (isText && isNestedTooDeeply(sent.query as string)) return nestedTooDeeply();
    if (isText && spreadsIn(sent.query as string) > mostSpreads) {
      return new GraphQLError(
        `The operation has too many fragment spreads; at most ${mostSpreads} are allowed.`,
        {
          extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } },
        },
      );
    }
    // Without a token only the schema is readable, so no query is registered.
    if (isText && !principal && id !== undefined) {
      return withoutPersistedQuery(sent);
    }
    return sent;
  }
}

const notInList = (): GraphQLError =>
  new GraphQLError('There is no trusted document with this id.', {
    extensions: { code: 'PERSISTED_QUERY_NOT_IN_LIST', http: { status: 400 } },
  });

const idRequired = (): GraphQLError =>
  new GraphQLError('Only trusted documents are accepted. Send the id of a document.', {
    extensions: { code: 'PERSISTED_QUERY_ID_REQUIRED', http: { status: 400 } },
  });

/**
 * Rejects requests that a page of another site can make a browser send without a preflight request. No cookie
 * authenticates here, so this is defence in depth, above all behind a firewall. Requests after a preflight request
 * (CORS) and requests of other programs pass. A POST must be JSON, which browsers send across sites only after a
 * preflight request.
 */
export const refuseCrossSite: preHandlerAsyncHookHandler = async (request, reply) => {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers;
  if ((site === 'cross-site' || site === 'same-site') && mode !== 'cors' && mode !== 'websocket') {
    return answer(reply, 403, badRequest('A cross-origin request requires a CORS preflight request.'));
  }
};

const refuse = (reply: FastifyReply, error: GraphQLError): FastifyReply => {
  const { status, headers } = (error.extensions.http ?? {}) as {
    status?: number;
    headers?: Iterable<[string, string]>;
  };
  for (const [name, value] of headers ?? []) reply.header(name, value);
  return answer(reply, status ?? 400, error);
};

/** Sets the headers of the caller's budget (draft-ietf-httpapi-ratelimit-headers). */
function show(
  { limit, remaining, resetSeconds }: Allowance,
  set: (name: string, value: string) => void,
): void {
  set('ratelimit-policy', `"graph";q=${limit};w=${windowSeconds}`);
  set('ratelimit', `"graph";r=${remaining};t=${resetSeconds}`);
}

/**
 * Returns the content of the request without validation. Apollo Server rejects malformed operations with the reason.
 */
function sentBy(request: FastifyRequest): OperationRequest {
  if (request.method === 'POST') {
    const { body } = request;
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? body
      : ((body as OperationRequest) ?? {});
  }
  // Parsed as Apollo Server does, so that the operation checked here is the one executed. Fastify would parse
  // `#x?query=` differently.
  const at = request.url.indexOf('?');
  const parameters = new URLSearchParams(at === -1 ? '' : request.url.slice(at));
  const one = (name: string): unknown => {
    const given = parameters.getAll(name);
    return given.length > 1 ? given : given[0];
  };
  const extensions = one('extensions');
  return {
    query: one('query'),
    documentId: one('documentId'),
    extensions: typeof extensions === 'string' ? parsed(extensions) : undefined,
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
