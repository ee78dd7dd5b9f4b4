import type { Principal } from '@ostiary/access';
import type { Logger, startSpan } from '@ostiary/service';
import { unauthenticated } from '../errors/errors.ts';

/** The span of an operation; undefined while tracing is off. */
export type OperationSpan = ReturnType<typeof startSpan> | undefined;

/** Context of resolvers, created for each request. */
export interface GraphContext<L = unknown> {
  /** Principal of the request; undefined without a token. Invalid tokens are rejected earlier. */
  readonly principal: Principal | undefined;
  /** The caller's tenant. Reading it without a token throws UNAUTHENTICATED. */
  readonly tenant: string;
  /** Made on first use, so that requests that need no data build no loaders. */
  readonly loaders: L;
  readonly log: Logger;
  readonly requestId: string;
  /** The operation's span, while tracing is on. */
  readonly span: OperationSpan;
}

/** Argument of `loaders` factories, which binds every query to the caller's tenant. */
export interface LoaderScope {
  readonly principal: Principal;
  readonly tenant: string;
  readonly log: Logger;
  readonly requestId: string;
}

/** Returns the caller. @throws UNAUTHENTICATED without a token */
export function requirePrincipal(context: Pick<GraphContext, 'principal'>): Principal {
  if (!context.principal) throw unauthenticated();
  return context.principal;
}

interface RequestFacts {
  principal: Principal | undefined;
  log: Logger;
  requestId: string;
  span?: OperationSpan;
}

type LoaderFactory<L> = (scope: LoaderScope) => L;

/** The context of one request; loaders are built by `loaders` at most once. */
export function createContext<L>(request: RequestFacts, loaders: LoaderFactory<L>): GraphContext<L> {
  return new RequestContext(request, loaders);
}

// Apollo Server copies the own properties of the context object. Getters on the prototype stay lazy through that;
// getters of its own would all be read, and private fields would be lost.
class RequestContext<L> implements GraphContext<L> {
  readonly principal: Principal | undefined;
  readonly log: Logger;
  readonly requestId: string;
  readonly span: OperationSpan;
  readonly makeLoaders: LoaderFactory<L>;
  made: { loaders: L } | undefined;

  constructor(request: RequestFacts, makeLoaders: LoaderFactory<L>) {
    this.principal = request.principal;
    this.log = request.log;
    this.requestId = request.requestId;
    this.span = request.span;
    this.makeLoaders = makeLoaders;
  }

  get tenant(): string {
    return requirePrincipal(this).tenant;
  }

  get loaders(): L {
    if (!this.made) {
      const principal = requirePrincipal(this);
      const { log, requestId } = this;
      this.made = { loaders: this.makeLoaders({ principal, tenant: principal.tenant, log, requestId }) };
    }
    return this.made.loaders;
  }
}
