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

/** What the operations of a caller may cost. */
export interface Budget {
  rates: Rates;
  /** Points a minute of a caller with a token. */
  points: number;
  /** Points a minute of a network without one: nothing but the schema is open to it. */
  anonymousPoints: number;
}

export interface AdmissionOptions {
  budget?: Budget | undefined;
  documents?: TrustedDocuments | undefined;
  /** Whether only trusted documents are executed. */
  documentsOnly: boolean;
}

/** Decides, before an operation is even parsed, whether it is one this gateway executes for this caller. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** For requests over HTTP; after the token was verified and the body read. */
  readonly preHandler: preHandlerAsyncHookHandler = async (request, reply) => {
    const caller = callerOf(request.principal, request.ip);
    const sent = sentBy(request);
    const text = typeof sent.query === 'string' ? sent.query : undefined;
    const allowance = await this.#charge(caller, priceOfReading(text));
    if (allowance) show(allowance, (name, value) => void reply.header(name, value));
    if (allowance && !allowance.allowed) return refuse(reply, rateLimited(allowance.resetSeconds));
    const admitted = this.#resolve(sent, request.principal);
    if (admitted instanceof GraphQLError) return refuse(reply, admitted);
    // A GET has no body of its own: there it holds what the address stands for.
    if (request.method === 'POST' || admitted !== sent) request.body = admitted;
  };

  /**
   * For operations that come by other ways, over a WebSocket say.
   * @returns the operation with its text, or why it isn't executed
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

  /** Charges what an operation asks for, once that is known. */
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
      // The protocol of WebSockets wants a text: there an empty one is none.
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
    // Without a token there is nothing to ask for that would be worth keeping.
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
 * Refuses what a page of another site can make a browser send without asking first. Nothing here acts on cookies, so
 * such a request could do no harm; it has no business here either, behind a firewall least of all. A request that asked
 * first (CORS) and whatever isn't a browser goes on. POST is held to JSON, which browsers don't send across sites
 * without asking.
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

/** How the caller's budget stands (draft-ietf-httpapi-ratelimit-headers). */
function show(
  { limit, remaining, resetSeconds }: Allowance,
  set: (name: string, value: string) => void,
): void {
  set('ratelimit-policy', `"graph";q=${limit};w=${windowSeconds}`);
  set('ratelimit', `"graph";r=${remaining};t=${resetSeconds}`);
}

/** What the request holds, without judging it: what is no operation is refused by Apollo Server, with the reason. */
function sentBy(request: FastifyRequest): OperationRequest {
  if (request.method === 'POST') {
    const { body } = request;
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? body
      : ((body as OperationRequest) ?? {});
  }
  // Read as Apollo Server does: what is judged here must be what is executed. Fastify would read `#x?query=` differently.
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
