/** Position of a file in the layout of a service: module, layer, and whether it is an entry point. */

export const layers = ['domain', 'data', 'http', 'graph', 'jobs'] as const;
export type Layer = (typeof layers)[number];

export const surfaces: readonly Layer[] = ['http', 'graph', 'jobs'];

export interface Place {
  /** `services/auth`, `libs/scim`, `gateway`, `cli`, `console`, `e2e`, or the name of an external package. */
  readonly package: string;
  readonly kind:
    | 'composition' // directly in src/, or in src/composition/: assembles the service
    | 'module' // src/<module>/…
    | 'layer' // src/<layer>/… of a service without modules
    | 'generated' // the Prisma client
    | 'test'
    | 'built' // dist/
    | 'other'
    | 'external';
  readonly module?: string;
  readonly layer?: Layer;
  /** `src/<module>/index.ts`, or `src/<module>/<layer>/index.ts` when it has a layer. */
  readonly entry?: boolean;
}

const own = /^((?:libs|services)\/[^/]+|gateway|cli|console|e2e|bench|scripts)(?:\/(.*))?$/;

export function placeOf(path: string): Place {
  const [, name, inside = ''] = own.exec(path) ?? [];
  if (name === undefined) return { package: path, kind: 'external' };
  if (/^test\/|\.test\.ts$/.test(inside)) return { package: name, kind: 'test' };
  if (inside.startsWith('dist/')) return { package: name, kind: 'built' };
  if (!inside.startsWith('src/')) return { package: name, kind: 'other' };
  const parts = inside.split('/').slice(1);
  if (parts.includes('generated')) return { package: name, kind: 'generated' };
  if (parts.length === 1 || parts[0] === 'composition') return { package: name, kind: 'composition' };
  const above = name.startsWith('services/') ? layers.find((each) => each === parts[0]) : undefined;
  if (above !== undefined) return { package: name, kind: 'layer', layer: above };
  return { package: name, kind: 'module', ...insideModule(parts) };
}

function insideModule(parts: readonly string[]): Pick<Place, 'module' | 'layer' | 'entry'> {
  const [module = '', second = ''] = parts;
  const layer = parts.length > 2 ? layers.find((each) => each === second) : undefined;
  const entry = parts.length === (layer === undefined ? 2 : 3) && parts.at(-1) === 'index.ts';
  return layer === undefined ? { module, entry } : { module, layer, entry };
}

/** Reports whether a package is a process, whose src/ is divided into modules. */
export function isProcess(name: string): boolean {
  return name === 'gateway' || name.startsWith('services/');
}
