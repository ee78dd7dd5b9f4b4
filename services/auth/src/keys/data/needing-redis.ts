import { ServiceUnavailable } from '@ostiary/service';

/** A store in Redis whose every call answers "not now" (503) when Redis doesn't. */
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
