/**
 * The rules of the architecture for imports. CONTRIBUTING.md describes them, and test/layers violates each of them
 * once. Types count as values: the rules depend on the file that declares them.
 */
import { districts, isProcess, type Place, placeOf, surfaces } from './places.ts';

/** An import with the places of both ends. */
export interface Edge {
  readonly path: string;
  readonly to: string;
  readonly from: Place;
  readonly target: Place;
}

export interface Rule {
  readonly name: string;
  readonly because: string;
  broken(edge: Edge): boolean;
}

export function edgeOf(path: string, to: string): Edge {
  return { path, to, from: placeOf(path), target: placeOf(to) };
}

/** Matches specifiers of the packages and of files in them. */
function isOf(packages: readonly string[], specifier: string): boolean {
  return packages.some((name) =>
    name.endsWith('/') ? specifier.startsWith(name) : specifier === name || specifier.startsWith(`${name}/`),
  );
}

/** Packages of the adapters of libs/verifier whose name is another one. */
const frameworks: Record<string, string> = { apollo: 'graphql', mcp: '@modelcontextprotocol/sdk' };

/** Returns the package that an adapter of libs/verifier may import. */
function frameworkOf(path: string): string {
  const name = /^libs\/verifier\/src\/(\w+)\.ts$/.exec(path)?.[1] ?? '';
  return frameworks[name] ?? name;
}

const prisma = ['@prisma/', 'prisma', 'pg'];
const redis = ['ioredis', 'bullmq'];
const engines = [
  ...prisma,
  ...redis,
  ...['fastify', '@fastify/', 'graphql', '@apollo/', 'graphql-ws', 'graphql-sse'],
  ...['@ostiary/database', '@ostiary/graph', '@ostiary/embedded'],
];
const processes = [
  '@ostiary/auth',
  '@ostiary/directory',
  '@ostiary/provisioning',
  '@ostiary/gateway',
  '@ostiary/guard',
  '@ostiary/cli',
];

const isSource = ({ kind }: Place): boolean =>
  kind === 'composition' || kind === 'module' || kind === 'layer' || kind === 'generated';
const inModule = ({ from }: Edge): boolean => isProcess(from.package) && from.kind === 'module';
const inLayer = ({ from }: Edge, ...layers: readonly string[]): boolean =>
  isProcess(from.package) && from.layer !== undefined && layers.includes(from.layer);
const samePackage = ({ from, target }: Edge): boolean => from.package === target.package;
const intoLayer = (edge: Edge, ...layers: readonly string[]): boolean =>
  samePackage(edge) && edge.target.layer !== undefined && layers.includes(edge.target.layer);
const ownUnit = (edge: Edge): boolean => samePackage(edge) && edge.from.unit === edge.target.unit;

/** Modules of the console that are no features; the frame (`app`) assembles features. */
const consoleFoundation: readonly string[] = [
  'app',
  'graph',
  'navigation',
  'preferences',
  'session',
  'ui',
  'words',
];

const betweenPackages: readonly Rule[] = [
  {
    name: 'no-process-imports-another',
    because: 'Services communicate over HTTP and events; shared code is a contract in libs/.',
    broken: ({ from, target, to }) =>
      isProcess(from.package) &&
      (isOf(processes, to) || (isProcess(target.package) && target.package !== from.package)),
  },
  {
    name: 'libs-import-no-process',
    because: 'Shared code does not depend on the code that shares it.',
    broken: ({ from, target, to }) =>
      from.package.startsWith('libs/') &&
      (isOf(processes, to) || isProcess(target.package) || /^(e2e|bench)$/.test(target.package)),
  },
  {
    name: 'libs-are-entered-through-their-entry-points',
    because: 'Import @ostiary/<lib>, not its files.',
    broken: (edge) => edge.target.package.startsWith('libs/') && !samePackage(edge) && isSource(edge.target),
  },
  {
    name: 'one-module-knows-the-apollo-gateway',
    because:
      '@apollo/gateway is under the Elastic License 2.0: kept in one place, so that it can be replaced.',
    broken: ({ path, from, to }) =>
      isOf(['@apollo/gateway', '@apollo/composition', '@apollo/query-planner'], to) &&
      isSource(from) &&
      !/^gateway\/src\/(execution\/graph\/query-plan|schema\/graph\/compose)\.ts$/.test(path),
  },
  {
    name: 'scim-is-pure',
    because: 'libs/scim is the protocol: no input or output, no dependency.',
    broken: (edge) => edge.from.package === 'libs/scim' && isSource(edge.from) && !samePackage(edge),
  },
  {
    name: 'the-verifier-depends-on-jose-alone',
    because: 'APIs of companies install libs/verifier. An adapter imports its framework alone.',
    broken: (edge) =>
      edge.from.package === 'libs/verifier' &&
      isSource(edge.from) &&
      !samePackage(edge) &&
      !edge.to.startsWith('node:') &&
      edge.to !== 'jose' &&
      !isOf([frameworkOf(edge.path)], edge.to),
  },
  {
    name: 'the-command-line-asks-the-graph-alone',
    because: 'It is a client like any other: nothing of the services is in it, and it is one small file.',
    broken: (edge) =>
      edge.from.package === 'cli' &&
      isSource(edge.from) &&
      !samePackage(edge) &&
      !edge.to.startsWith('node:') &&
      edge.to !== 'commander',
  },
  {
    name: 'commands-are-not-imported',
    because: 'Sessions, the graph, configuration and output know nothing of the commands that use them.',
    broken: (edge) =>
      edge.from.package === 'cli' &&
      edge.from.kind === 'module' &&
      edge.from.module !== 'commands' &&
      samePackage(edge) &&
      edge.target.module === 'commands',
  },
  {
    name: 'the-console-asks-the-graph-alone',
    because: 'It is a client like any other: nothing of the services is in it.',
    broken: (edge) =>
      edge.from.package === 'console' &&
      isSource(edge.from) &&
      (edge.to.startsWith('@ostiary/') || edge.target.kind !== 'external') &&
      !samePackage(edge),
  },
  {
    name: 'features-of-the-console-are-entered-by-their-entry-points',
    because:
      'routes.ts has the addresses; index.ts or parts.ts exports the parts that other features use. The rest is loaded on demand.',
    broken: (edge) =>
      edge.from.package === 'console' &&
      samePackage(edge) &&
      edge.target.module !== undefined &&
      edge.target.module !== edge.from.module &&
      !consoleFoundation.includes(edge.target.module) &&
      !/^console\/src\/[^/]+\/(index|routes|parts)\.tsx?$/.test(edge.to),
  },
  {
    name: 'the-foundation-of-the-console-knows-no-feature',
    because: 'Features are built on words, preferences, components, session and graph.',
    broken: (edge) =>
      edge.from.package === 'console' &&
      consoleFoundation.includes(edge.from.module ?? '') &&
      edge.from.module !== 'app' &&
      samePackage(edge) &&
      edge.target.kind === 'module' &&
      !consoleFoundation.includes(edge.target.module ?? ''),
  },
  {
    name: 'tests-are-not-imported',
    because: 'Production code does not depend on its tests.',
    broken: ({ from, target }) => isSource(from) && target.kind === 'test',
  },
];

const insideProcesses: readonly Rule[] = [
  {
    name: 'domain-imports-no-engine',
    because:
      'Rules are plain TypeScript: no HTTP server, database, Redis, queue or GraphQL, and no types of theirs.',
    broken: (edge) => inLayer(edge, 'domain') && isOf(engines, edge.to),
  },
  {
    name: 'domain-imports-no-other-layer',
    because: 'Surfaces and data depend on the domain, which declares ports for its needs.',
    broken: (edge) => inLayer(edge, 'domain') && intoLayer(edge, 'data', ...surfaces),
  },
  {
    name: 'data-imports-no-surface',
    because: 'Data implements the ports of the domain and does not depend on its callers.',
    broken: (edge) => inLayer(edge, 'data') && intoLayer(edge, ...surfaces),
  },
  {
    name: 'surfaces-import-no-data',
    because: 'A surface gets services and ports of the domain through its dependencies.',
    broken: (edge) => inLayer(edge, ...surfaces) && (intoLayer(edge, 'data') || isOf(prisma, edge.to)),
  },
  {
    name: 'surfaces-import-no-other-surface',
    because: 'Code that two surfaces share is a rule and belongs in the domain.',
    broken: (edge) =>
      inLayer(edge, ...surfaces) && intoLayer(edge, ...surfaces) && edge.target.layer !== edge.from.layer,
  },
  {
    name: 'http-and-graph-know-no-redis',
    because: 'Redis and queues belong to data and jobs.',
    broken: (edge) => inLayer(edge, 'http', 'graph') && isOf(redis, edge.to),
  },
];

const betweenModules: readonly Rule[] = [
  {
    name: 'units-are-entered-through-their-entry-points',
    because: 'Other districts and modules import index.ts, and files of their own layer except the domain.',
    broken: (edge) => {
      const { from, target } = edge;
      if (!samePackage(edge) || !isProcess(target.package) || target.kind !== 'module') return false;
      if (from.kind !== 'module' || ownUnit(edge) || target.entry) return false;
      return target.layer === 'domain' || target.layer !== from.layer;
    },
  },
  {
    name: 'a-unit-does-not-enter-itself',
    because:
      'Inside a district or module the file itself is imported: its own index.ts would become a cycle.',
    broken: (edge) => inModule(edge) && ownUnit(edge) && edge.target.entry === true,
  },
  {
    name: 'an-entry-point-exports-the-domain',
    because: 'Importing index.ts must not load the data or the surfaces of its district.',
    broken: (edge) =>
      inModule(edge) &&
      edge.from.entry === true &&
      ownUnit(edge) &&
      edge.target.layer !== undefined &&
      edge.target.layer !== 'domain',
  },
  {
    name: 'a-district-imports-lower-districts',
    because: 'The order of the districts is the order in which a reader can learn them.',
    broken: (edge) =>
      edge.from.package === 'services/auth' &&
      edge.from.unit !== undefined &&
      samePackage(edge) &&
      districts.indexOf(edge.target.unit ?? '') > districts.indexOf(edge.from.unit),
  },
  {
    name: 'a-district-is-wired-through-module-files',
    because: 'module.ts assembles its own district from services that lower districts offer.',
    broken: (edge) =>
      edge.from.kind === 'composition' &&
      edge.from.unit !== undefined &&
      edge.target.unit !== undefined &&
      samePackage(edge) &&
      !ownUnit(edge) &&
      edge.target.kind !== 'composition' &&
      edge.target.entry !== true,
  },
  {
    name: 'modules-do-not-import-the-composition-root',
    because: 'The composition root passes dependencies to modules, which declare them.',
    broken: (edge) => inModule(edge) && samePackage(edge) && edge.target.kind === 'composition',
  },
  {
    name: 'the-generated-client-is-used-by-data',
    because: 'Only data and the composition root know Prisma.',
    broken: (edge) =>
      isProcess(edge.from.package) &&
      edge.from.kind === 'module' &&
      samePackage(edge) &&
      edge.target.kind === 'generated' &&
      edge.from.layer !== 'data',
  },
];

/** All rules. */
export const rules: readonly Rule[] = [...betweenPackages, ...insideProcesses, ...betweenModules];

/** Reports whether an import violates the dependency direction: surfaces → domain ← data. */
export function isAgainstDirection(edge: Edge): boolean {
  return insideProcesses.some((rule) => rule.broken(edge));
}
