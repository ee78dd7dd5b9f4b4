import { AsyncLocalStorage } from 'node:async_hooks';

/** The state of a request that its response depends on. */
export interface EndingRequest {
  /** Whether it has committed a change that ends access. */
  endsAccess: boolean;
}

/** Determines which requests end access, at any place of their code. */
export class AccessEnds {
  readonly #requests = new AsyncLocalStorage<EndingRequest>();

  run<T>(request: EndingRequest, work: () => T): T {
    return this.#requests.run(request, work);
  }

  /** Records that a change which ends access was committed, possibly outside of a request. */
  note(): void {
    const request = this.#requests.getStore();
    if (request) request.endsAccess = true;
  }
}
