import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { composeServices } from '@apollo/composition';
import { withScopesDirective } from '@ostiary/graph';
import { parse } from 'graphql';
import { type ServiceName, serviceNames } from './upstream.ts';

/** Where the supergraph is kept; it is committed, so that a change of the graph shows in review. */
export const supergraphPath = fileURLToPath(new URL('../supergraph.graphql', import.meta.url));

const schemaPath = (name: ServiceName): string =>
  fileURLToPath(new URL(`../../services/${name}/src/graph/schema.graphql`, import.meta.url));

/**
 * Composes the services' schema files into the supergraph. Addresses of services are not part of it: the gateway
 * knows them from its environment, and those in the file are placeholders.
 * @throws Error with every composition error when the schemas don't fit together
 */
export async function composeSupergraph(): Promise<string> {
  const subgraphs = await Promise.all(
    serviceNames.map(async (name) => ({
      name,
      // The planner complains about a missing address; this one can't lead anywhere.
      url: `http://${name}.invalid/graphql`,
      typeDefs: parse(withScopesDirective(await readFile(schemaPath(name), 'utf8'))),
    })),
  );
  const { supergraphSdl, errors } = composeServices(subgraphs);
  if (supergraphSdl === undefined) {
    throw new Error(errors?.map((error) => error.message).join('\n') ?? 'Composition gave nothing.');
  }
  return `${supergraphSdl.trim()}\n`;
}

if (import.meta.main) {
  try {
    await writeFile(supergraphPath, await composeSupergraph());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
