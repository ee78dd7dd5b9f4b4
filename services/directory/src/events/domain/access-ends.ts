import { AsyncLocalStorage } from 'node:async_hooks';

/** What a request has done, as far as its answer has to know. */
export interface EndingRequest {
  /** It has committed something that ends access. */
  endsAccess: boolean;
}

/** Finds out which requests end access, wherever in them that is committed. */
export class AccessEnds {
  readonly #requests = new AsyncLocalStorage<EndingRequest>();

  /** Does the work of a request. */
  run<T>(request: EndingRequest, work: () => T): T {
    return this.#requests.run(request, work);
  }

  /** Something that ends access was committed; by no request, perhaps. */
  note(): void {
    const request = this.#requests.getStore();
    if (request) request.endsAccess = true;
  }
}
