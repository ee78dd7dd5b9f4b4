import { directSource } from '../domain/connector.ts';
import type { ConnectorLoaders } from './loaders.ts';

/** Returns the source of SCIM requests: a connector, also a deleted one, or clients and users without one. */
export async function provisioningSourceOf(
  id: string,
  loaders: ConnectorLoaders,
): Promise<{ sourceId: string; name: string }> {
  if (id === directSource) return { sourceId: id, name: 'Direct' };
  const connector = await loaders.connector.load(id);
  return { sourceId: id, name: connector?.name ?? id };
}
