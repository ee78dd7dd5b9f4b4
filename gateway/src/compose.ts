import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { composeServices } from '@apollo/composition';
import { withScopesDirective } from '@ostiary/graph';
import { lexicographicSortSchema, parse, printSchema } from 'graphql';
import { type ServiceName, serviceNames } from './upstream.ts';

/** Where the supergraph is kept; it is committed, so that a change of the graph shows in review. */
export const supergraphPath = fileURLToPath(new URL('../supergraph.graphql', import.meta.url));

const schemaPath = (name: ServiceName): string =>
  fileURLToPath(new URL(`../../services/${name}/src/graph/schema.graphql`, import.meta.url));

/** The services' schema files, as composition takes them. */
async function readSubgraphs(): Promise<Parameters<typeof composeServices>[0]> {
  return Promise.all(
    serviceNames.map(async (name) => ({
      name,
      // The planner complains about a missing address; this one can't lead anywhere.
      url: `http://${name}.invalid/graphql`,
      typeDefs: parse(withScopesDirective(await readFile(schemaPath(name), 'utf8'))),
    })),
  );
}

/**
 * Composes the services' schema files into the supergraph. Addresses of services are not part of it: the gateway
 * knows them from its environment, and those in the file are placeholders.
 * @throws Error with every composition error when the schemas don't fit together
 */
export async function composeSupergraph(): Promise<string> {
  const { supergraphSdl, errors } = composeServices(await readSubgraphs());
  if (supergraphSdl === undefined) {
    throw new Error(errors?.map((error) => error.message).join('\n') ?? 'Composition gave nothing.');
  }
  return `${supergraphSdl.trim()}\n`;
}

/**
 * The schema clients see, composed from the services' schema files, as text.
 * @throws Error with every composition error
 */
export async function composeApi(): Promise<string> {
  const { schema, errors } = composeServices(await readSubgraphs());
  if (!schema)
    throw new Error(errors?.map((error) => error.message).join('\n') ?? 'Composition gave nothing.');
  return `${printSchema(lexicographicSortSchema(schema.toAPISchema().toGraphQLJSSchema()))}\n`;
}

if (import.meta.main) {
  try {
    await writeFile(supergraphPath, await composeSupergraph());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
