import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeServices } from '@apollo/composition';
import { readSchema, withScopesDirective } from '@ostiary/graph';
import { lexicographicSortSchema, parse, print, printSchema } from 'graphql';
import { type ServiceName, serviceNames } from '../../upstreams/index.ts';

/** Where the supergraph is kept; it is committed, so that a change of the graph shows in review. */
export const supergraphPath = fileURLToPath(new URL('../../../supergraph.graphql', import.meta.url));

const sourcesOf = (name: ServiceName): URL => new URL(`../../../../services/${name}/src/`, import.meta.url);

/**
 * Where the subgraphs' complete schemas are kept, with all that each has besides its schema files. Committed, so that stock
 * tools (rover, a schema registry, `@apollo/composition`) can compose and check them as they are; `supergraph.yaml` beside
 * them says so to rover.
 */
export const subgraphPath = (name: ServiceName): string =>
  fileURLToPath(new URL(`../../../subgraphs/${name}.graphql`, import.meta.url));

/** A subgraph's complete schema: what the service builds its own from. */
export const subgraphSdl = (name: ServiceName): string =>
  `${print(parse(withScopesDirective(readSchema(sourcesOf(name)))))}\n`;

/** The services' schema files, as composition takes them. */
const readSubgraphs = (): Parameters<typeof composeServices>[0] =>
  serviceNames.map((name) => ({
    name,
    // The planner complains about a missing address; this one can't lead anywhere.
    url: `http://${name}.invalid/graphql`,
    typeDefs: parse(subgraphSdl(name)),
  }));

/**
 * Composes the services' schema files into the supergraph. Addresses of services are not part of it: the gateway
 * knows them from its environment, and those in the file are placeholders.
 * @throws Error with every composition error when the schemas don't fit together
 */
export async function composeSupergraph(): Promise<string> {
  const { supergraphSdl, errors } = composeServices(readSubgraphs());
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
  const { schema, errors } = composeServices(readSubgraphs());
  if (!schema)
    throw new Error(errors?.map((error) => error.message).join('\n') ?? 'Composition gave nothing.');
  return `${printSchema(lexicographicSortSchema(schema.toAPISchema().toGraphQLJSSchema()))}\n`;
}

if (import.meta.main) {
  try {
    const supergraph = await composeSupergraph();
    await mkdir(dirname(subgraphPath('auth')), { recursive: true });
    for (const name of serviceNames) await writeFile(subgraphPath(name), subgraphSdl(name));
    await writeFile(supergraphPath, supergraph);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
