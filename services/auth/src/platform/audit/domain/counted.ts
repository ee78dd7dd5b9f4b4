import { ServiceUnavailable } from '@ostiary/service';

/** Rejects an attempt that cannot be counted. @throws ServiceUnavailable when counting fails */
export async function counted<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new ServiceUnavailable('redis', { cause: error });
  }
}
