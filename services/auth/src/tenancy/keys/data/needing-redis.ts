import { ServiceUnavailable } from '@ostiary/service';

/** Wraps a store in Redis: every call fails with ServiceUnavailable (503) while Redis is unavailable. */
export function needingRedis<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]): Promise<unknown> => {
        try {
          return await value.apply(target, given);
        } catch (error) {
          throw new ServiceUnavailable('redis', { cause: error });
        }
      };
    },
  });
}
