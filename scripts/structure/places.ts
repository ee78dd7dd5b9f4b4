/** Position of a file in the layout of a service: module, layer, and whether it is an entry point. */

export const layers = ['domain', 'data', 'http', 'graph', 'jobs'] as const;
export type Layer = (typeof layers)[number];

export const surfaces: readonly Layer[] = ['http', 'graph', 'jobs'];

/** The districts of the authorization server, the lowest first. A district imports only the districts before it. */
export const districts: readonly string[] = [
  ...['platform', 'tenancy', 'access', 'clients'],
  ...['identity', 'oauth', 'signals', 'lifecycle'],
];

export interface Place {
  /** `services/auth`, `libs/scim`, `gateway`, `cli`, `console`, `e2e`, or the name of an external package. */
  readonly package: string;
  readonly kind:
    | 'composition' // directly in src/, in src/composition/, or <district>/module.ts: assembles the service
    | 'module' // src/<module>/…
    | 'layer' // src/<layer>/… of a service without modules
    | 'generated' // the Prisma client
    | 'test'
    | 'built' // dist/
    | 'other'
    | 'external';
  /** The folder in `src/` that other code enters through `index.ts`: a district, or a module of a process without districts. */
  readonly unit?: string;
  /** `<module>`, or `<district>/<module>`. */
  readonly module?: string;
  readonly layer?: Layer;
  /** The file is `src/<unit>/index.ts`. */
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
  const [unit = '', file] = parts;
  if (parts.length === 2 && file === 'module.ts' && isDistrict(name, unit))
    return { package: name, kind: 'composition', unit };
  const above = name.startsWith('services/') ? layers.find((each) => each === parts[0]) : undefined;
  if (above !== undefined) return { package: name, kind: 'layer', layer: above };
  return { package: name, kind: 'module', ...insideUnit(name, parts) };
}

const isDistrict = (name: string, unit: string): boolean =>
  name === 'services/auth' && districts.includes(unit);

function insideUnit(
  name: string,
  parts: readonly string[],
): Pick<Place, 'unit' | 'module' | 'layer' | 'entry'> {
  const [unit = '', second = ''] = parts;
  const entry = parts.length === 2 && second === 'index.ts';
  const inDistrict = isDistrict(name, unit) && parts.length > 2;
  const depth = inDistrict && !isLayer(second) ? 2 : 1;
  const module = parts.slice(0, depth).join('/');
  const layer = layerOf(name, parts.slice(depth));
  return layer === undefined ? { unit, module, entry } : { unit, module, layer, entry };
}

/** A folder names the layer of its files. A file directly in a module names it by its suffix; in a service, no suffix means the domain. */
function layerOf(name: string, [first = '', ...rest]: readonly string[]): Layer | undefined {
  if (rest.length > 0) return layers.find((each) => each === first);
  const suffix = layers.find((each) => first.endsWith(`.${each}.ts`));
  return suffix ?? (name.startsWith('services/') && first !== 'index.ts' ? 'domain' : undefined);
}

const isLayer = (folder: string): boolean => layers.some((each) => each === folder);

/** The processes: their src/ is divided into modules. */
export function isProcess(name: string): boolean {
  return name === 'gateway' || name.startsWith('services/');
}
