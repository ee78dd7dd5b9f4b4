import { ServiceUnavailable } from '@ostiary/service';

/** Attempts that cannot be counted are not made. @throws ServiceUnavailable when the counting fails */
export async function counted<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new ServiceUnavailable('redis', { cause: error });
  }
}
