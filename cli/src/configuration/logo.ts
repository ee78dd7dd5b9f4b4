import { Failure } from '../failure.ts';
import { ask } from '../http.ts';

/** Fetches the logo of a tenant from its public address, as a data URL for the graph. @throws Failure */
export async function logoAt(url: string): Promise<string> {
  const { status, headers, bytes } = await ask(url);
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  if (status === 200 && /^image\/(png|jpeg|webp)$/.test(type))
    return `data:${type};base64,${bytes.toString('base64')}`;
  throw new Failure('unreachable', `The logo of the tenant could not be fetched: ${url} returned ${status}.`);
}
