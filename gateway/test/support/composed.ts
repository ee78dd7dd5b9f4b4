import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';

/** Cache of this worker: composition takes as long as many tests, and depends only on the subgraphs. */
const known = Symbol.for('ostiary.gateway.test-supergraphs');
const worker = globalThis as { [known]?: Map<string, string> };
worker[known] ??= new Map();
const supergraphs = worker[known];

/** Composes subgraphs with these type definitions by name. */
export function composed(typeDefs: Readonly<Record<string, string>>): string {
  const key = JSON.stringify(typeDefs);
  let supergraph = supergraphs.get(key);
  if (supergraph === undefined) {
    const { supergraphSdl, errors } = composeServices(
      Object.entries(typeDefs).map(([name, sdl]) => ({
        name,
        url: `http://${name}.invalid`,
        typeDefs: parse(sdl),
      })),
    );
    if (!supergraphSdl) throw new Error(errors?.map(String).join('\n') ?? 'no supergraph');
    supergraph = supergraphSdl;
    supergraphs.set(key, supergraph);
  }
  return supergraph;
}
