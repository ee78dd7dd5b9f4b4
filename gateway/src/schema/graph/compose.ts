import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeServices } from '@apollo/composition';
import { readSchema, withScopesDirective } from '@ostiary/graph';
import { lexicographicSortSchema, parse, print, printSchema } from 'graphql';
import { type ServiceName, serviceNames } from '../../upstreams/index.ts';

/** Path of the supergraph, which is committed so that reviews show changes of the graph. */
export const supergraphPath = fileURLToPath(new URL('../../../supergraph.graphql', import.meta.url));

const sourcesOf = (name: ServiceName): URL => new URL(`../../../../services/${name}/src/`, import.meta.url);

/**
 * Returns the path of a subgraph's complete schema. The schemas are committed, so that stock tools (rover, a schema
 * registry, `@apollo/composition`) can compose and check them. `supergraph.yaml` beside them is the configuration of
 * rover.
 */
export const subgraphPath = (name: ServiceName): string =>
  fileURLToPath(new URL(`../../../subgraphs/${name}.graphql`, import.meta.url));

/** Returns the complete schema of a subgraph, from which the service builds its own. */
export const subgraphSdl = (name: ServiceName): string =>
  `${print(parse(withScopesDirective(readSchema(sourcesOf(name)))))}\n`;

/** Returns the services' schemas in the form that composition takes. */
const readSubgraphs = (): Parameters<typeof composeServices>[0] =>
  serviceNames.map((name) => ({
    name,
    // Composition requires an address. This one cannot resolve (RFC 2606 §2).
    url: `http://${name}.invalid/graphql`,
    typeDefs: parse(subgraphSdl(name)),
  }));

/**
 * Composes the services' schema files into the supergraph. Its addresses of services are placeholders: the gateway
 * reads the addresses from its environment.
 * @throws Error with every composition error
 */
export async function composeSupergraph(): Promise<string> {
  const { supergraphSdl, errors } = composeServices(readSubgraphs());
  if (supergraphSdl === undefined) {
    throw new Error(errors?.map((error) => error.message).join('\n') ?? 'Composition gave nothing.');
  }
  return `${supergraphSdl.trim()}\n`;
}

/**
 * Composes the services' schema files and returns the schema for clients as text.
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
