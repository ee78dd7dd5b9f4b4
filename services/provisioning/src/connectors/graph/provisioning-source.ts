import { directSource } from '../domain/connector.ts';
import type { ConnectorLoaders } from './loaders.ts';

/** Where SCIM requests come from: a connector, deleted ones included, or clients and users without one. */
export async function provisioningSourceOf(
  id: string,
  loaders: ConnectorLoaders,
): Promise<{ sourceId: string; name: string }> {
  if (id === directSource) return { sourceId: id, name: 'Direct' };
  const connector = await loaders.connector.load(id);
  return { sourceId: id, name: connector?.name ?? id };
}
