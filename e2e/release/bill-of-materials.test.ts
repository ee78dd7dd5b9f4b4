import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';

const root = fileURLToPath(new URL('../..', import.meta.url));
const load = createRequire(import.meta.url);

interface Component {
  name: string;
  version: string;
  purl: string;
  licenses?: unknown[];
  hashes?: unknown[];
}

interface Bill {
  metadata: { component: { name: string; version: string } };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const bills = globSync('{services/*,gateway,cli}/dist/*.sbom.json', { cwd: root })
  .filter((path) => !path.includes('quicker'))
  .toSorted();
/**
 * Bill of materials of the console, which browsers load from the gateway. Missing if the gateway was built without the
 * console.
 */
const isConsoleBuilt = globSync('gateway/dist/console/files/index.html', { cwd: root }).length > 0;
const ofConsole = isConsoleBuilt ? ['gateway/dist/console/sbom.json'] : [];
const billOf = (path: string): Bill => JSON.parse(readFileSync(join(root, path), 'utf8')) as Bill;

/** Returns a validator for the published schema (ECMA-424) with the schemas that it references. */
function schemaOfCycloneDx(): ValidateFunction {
  const folder = join(dirname(load.resolve('@cyclonedx/cyclonedx-library/package.json')), 'res/schema');
  const read = (name: string): object =>
    JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8')) as object;
  const formats = Object.fromEntries(
    ['date-time', 'idn-email', 'iri-reference', 'email', 'uri'].map((name) => [name, true]),
  ) as Record<string, true>;
  const ajv = new Ajv({ strict: false, formats });
  // Registered under the address by which the schema references them.
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  return ajv.compile(read('bom-1.6'));
}

const valid = schemaOfCycloneDx();

describe('bills of materials', () => {
  test('Each program of each service has a bill of materials.', () => {
    expect(bills).toEqual(
      expect.arrayContaining([
        'gateway/dist/main.sbom.json',
        'services/guard/dist/main.sbom.json',
        ...['auth', 'directory', 'provisioning'].flatMap((name) => [
          `services/${name}/dist/main.sbom.json`,
          `services/${name}/dist/migrate.sbom.json`,
        ]),
      ]),
    );
  });

  test.each([...bills, ...ofConsole])('The document %s is valid by the schema of CycloneDX 1.6.', (path) => {
    expect(valid(billOf(path)) || valid.errors).toBe(true);
    const broken = structuredClone(billOf(path));
    Object.assign(broken.components[0] ?? {}, { type: 'something' });
    expect(valid(broken)).toBe(false);
  });

  test.each([...bills, ...ofConsole])('The document %s has the version of the release.', (path) => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(billOf(path).metadata.component.version).toBe(version);
  });

  test.each(bills)('The document %s lists exactly the packages whose code is in the program.', (path) => {
    const { components, dependencies } = billOf(path);
    const named = components.map(({ name, version }) => `${name} ${version}`);
    const { sources } = JSON.parse(
      readFileSync(join(root, path.replace('.sbom.json', '.sources.json')), 'utf8'),
    ) as { sources: string[] };
    // A bundled package's own source map has sources of other packages, which are not installed here.
    const inProgram = new Set(
      sources.flatMap((source) => {
        const [folder, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/.exec(source) ?? [];
        const manifest = join(root, dirname(path), folder ?? '', 'package.json');
        return name !== undefined && existsSync(manifest) ? [name] : [];
      }),
    );
    expect(inProgram.size).toBeGreaterThan(path.startsWith('cli/') ? 0 : 20);
    const names = components.map(({ name }) => name);
    for (const name of inProgram) expect(names).toContain(name);
    expect(names.filter((name) => /^(typescript|prisma|jest|turbo|esbuild|@biomejs)/.test(name))).toEqual([]);
    expect(named).toEqual([...new Set(named)]);
    expect(dependencies[0]?.dependsOn).toEqual(components.map(({ purl }) => purl));
    // Packages from the registry have a digest.
    const withoutHash = components.filter(
      ({ hashes, name }) => hashes === undefined && !name.startsWith('@ostiary/'),
    );
    expect(withoutHash).toEqual([]);
    for (const { purl, licenses } of components) expect([purl, licenses?.length]).toEqual([purl, 1]);
  });

  test('Native code beside a program is listed in its document.', () => {
    const names = billOf('services/auth/dist/main.sbom.json').components.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('@node-rs/argon2-'))).toHaveLength(1);
  });
});
