import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'programs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll(/ \\\n\s*/g, ' ');

/** Returns the stage of the Dockerfile whose image contains a program. */
function stageWith(program: string): string[] {
  const stage = program.endsWith('migrate.js') ? 'migrate' : program.replace(/^services\//, '').split('/')[0];
  return new RegExp(`^FROM runtime AS ${stage}$([^]*?)^(?:CMD|ENTRYPOINT) `, 'm').exec(dockerfile) ?? [];
}

/** Path of the program of a source file. */
const programs = globSync('{services/*,gateway}/src/{main,migrate}.ts', { cwd: root })
  .map((source) => source.replace('/src/', '/dist/').replace(/ts$/, 'js'))
  .sort();

/**
 * Maximum number of source files per program: the current number plus some tens. Unnoticed dependencies add hundreds.
 */
const maxSources: Record<string, number> = {
  'gateway/dist/main.js': 1_550,
  'services/auth/dist/main.js': 2_450,
  'services/auth/dist/migrate.js': 810,
  'services/directory/dist/main.js': 1_800,
  'services/directory/dist/migrate.js': 1_090,
  'services/guard/dist/main.js': 1_000,
  'services/provisioning/dist/main.js': 1_750,
  'services/provisioning/dist/migrate.js': 680,
};

/** Prints at exit which files were loaded as modules, and whether V8's compile cache was accepted. */
const watch = join(folder, 'watch.mjs');
writeFileSync(
  watch,
  `import { writeSync } from 'node:fs';
   import { registerHooks } from 'node:module';
   const loaded = [];
   let rejected = 'not compiled';
   registerHooks({ load: (url, context, next) => (url.startsWith('file:') && loaded.push(url), next(url, context)) });
   globalThis[Symbol.for('ostiary.compiled')] = (script) => { rejected = script.cachedDataRejected; };
   process.on('exit', () => writeSync(1, JSON.stringify({ loaded, rejected })));`,
);

interface Loading {
  loaded: string[];
  rejected: boolean | string;
  stderr: string;
}

/** Loads a program without settings: it reports the missing ones and ends. */
function load(program: string): Loading {
  const { stdout, stderr } = spawnSync(process.execPath, [`--import=${pathToFileURL(watch)}`, program], {
    env: {},
    encoding: 'utf8',
  });
  return { ...(JSON.parse(stdout) as Omit<Loading, 'stderr'>), stderr };
}

/** Returns the sources of a program. Source maps of packages also name files that are not installed. */
const sourcesOf = (program: string): string[] =>
  (
    JSON.parse(readFileSync(join(root, program.replace(/js$/, 'sources.json')), 'utf8')).sources as string[]
  ).filter((source) => existsSync(join(root, dirname(program), source)));

const packageIn = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;

test('Every service has its programs, and each has a limit.', () => {
  expect(programs).toEqual(Object.keys(maxSources).sort());
});

describe.each(programs)('%s', (program) => {
  test('The program loads one file with its compile cache, and names the missing settings.', () => {
    const { loaded, rejected, stderr } = load(join(root, program));
    expect(loaded).toEqual([pathToFileURL(join(root, program)).href]);
    expect(rejected).toBe(false);
    expect(stderr).toMatch(/^\w+: [A-Z_]+ is not set\./);
  });

  test('The program runs with the files of its image.', () => {
    const [, copied = ''] = stageWith(program);
    const image = join(folder, 'image', program);
    for (const [, from = '', to = ''] of copied.matchAll(
      /^COPY --from=build --chown=root:root (.+) (\S+)$/gm,
    )) {
      const files = from.split(' ').flatMap((path) => {
        const found = globSync(path.replace('/app/', ''), { cwd: root });
        expect({ path, found: found.length > 0 }).toEqual({ path, found: true });
        return found;
      });
      for (const file of files) {
        cpSync(join(root, file), join(image, to.endsWith('/') ? join(to, basename(file)) : to), {
          recursive: true,
        });
      }
    }
    expect(load(join(image, program)).stderr).toMatch(/^\w+: [A-Z_]+ is not set\./);
  });

  test('The program has at most the expected number of sources, and one copy of graphql.', () => {
    const sources = sourcesOf(program);
    expect(sources.length).toBeLessThanOrEqual(maxSources[program] ?? 0);
    const graphql = sources.filter((source) => packageIn.exec(source)?.[1] === 'graphql');
    expect(new Set(graphql.map((source) => source.replace(/graphql\/.*$/, ''))).size).toBeLessThanOrEqual(1);
    expect(graphql.filter((source) => source.endsWith('.mjs'))).toEqual([]);
  });

  test('The licences of all packages in the program are distributed with it.', () => {
    const notices = readFileSync(join(root, program.replace(/js$/, 'notices.txt')), 'utf8');
    const packages = new Set(sourcesOf(program).flatMap((source) => packageIn.exec(source)?.[1] ?? []));
    expect(packages.size).toBeGreaterThan(20);
    const missing = [...packages].filter((name) => !new RegExp(`^${name} \\d`, 'm').test(notices));
    expect(missing).toEqual([]);
    expect(notices).not.toContain('License: see below');
  });
});

test('Stack traces of a program name its sources.', () => {
  const { stdout } = spawnSync(process.execPath, [join(root, 'gateway/dist/main.js')], {
    env: {
      REDIS_URL: 'redis://127.0.0.1:1',
      STREAM_KEY: Buffer.alloc(32, 1).toString('base64url'),
      SERVICE_CLIENT_SECRET: 'x'.repeat(43),
      SUPERGRAPH_PATH: join(folder, 'none'),
    },
    encoding: 'utf8',
  });
  // The process ends while it writes: the line of the failure may follow those of the shutdown.
  const said = stdout.split('\n').filter((line) => line.includes('"event":"process.start_failed"'));
  expect(JSON.parse(said[0] ?? '{}').err?.stack).toContain(
    `at async Object.start (${root}gateway/src/main.ts:`,
  );
});

test('Every process of the images is one of these programs.', () => {
  const run = [...dockerfile.matchAll(/^CMD \["node", "(.+\/dist\/.+)"\]$/gm)].map((match) => match[1] ?? '');
  expect(run).toHaveLength(5);
  for (const path of run) expect(existsSync(join(root, path)) && programs.includes(path)).toBe(true);
});
