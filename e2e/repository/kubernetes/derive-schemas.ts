// Writes schemas.json: the schemas of Kubernetes and of the Prometheus operator for the kinds of objects in the chart,
// without descriptions. Both are under the Apache License 2.0.
// node e2e/repository/kubernetes/derive-schemas.ts <folder>
// The folder has <version>.json (`api/openapi-spec/swagger.json` of k8s.io/kubernetes at its newest patch, e.g.
// 1.37.json) and the operator's definitions as *.yaml.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import type { Schema, Schemas } from './schemas.ts';

const kinds = new Set(
  'ConfigMap Deployment HorizontalPodAutoscaler Ingress Job Namespace NetworkPolicy PodDisruptionBudget Secret Service ServiceAccount'.split(
    ' ',
  ),
);

interface Definition extends Schema {
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

/** Removes descriptions and extensions that validators do not use. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  if ('x-kubernetes-int-or-string' in value || (value as Schema).format === 'int-or-string')
    return { type: ['integer', 'string'] };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, of]) => !name.startsWith('x-') && !(name === 'description' && typeof of === 'string'))
      // JSON Schema has no equivalent of Go's `(?i)`.
      .filter(([name, of]) => name !== 'pattern' || !String(of).includes('(?'))
      .map(([name, of]) => {
        if (name === 'properties')
          return [
            name,
            Object.fromEntries(Object.entries(of as object).map(([key, one]) => [key, bare(one)])),
          ];
        return [name, name === '$ref' ? String(of).replace('#/definitions/', '') : bare(of)];
      }),
  );
}

const references = (schema: unknown): string[] =>
  typeof schema !== 'object' || schema === null
    ? []
    : Object.entries(schema).flatMap(([name, value]) =>
        name === '$ref' ? [String(value)] : references(value),
      );

function derive(folder: string): Schemas {
  const files = readdirSync(folder);
  const versions = files
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort((one, other) => Number(one.split('.')[1]) - Number(other.split('.')[1]));
  const result: Schemas = { versions, kinds: {}, definitions: {} };
  for (const version of versions) {
    const { definitions } = JSON.parse(readFileSync(join(folder, `${version}.json`), 'utf8')) as {
      definitions: Record<string, Definition>;
    };
    const pending: string[] = [];
    for (const [name, definition] of Object.entries(definitions)) {
      for (const of of definition['x-kubernetes-group-version-kind'] ?? []) {
        if (!kinds.has(of.kind) || !/^v\d+$/.test(of.version)) continue;
        result.kinds[`${of.group ? `${of.group}/` : ''}${of.version} ${of.kind}`] = name;
        pending.push(name);
      }
    }
    const seen = new Set<string>();
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      const schema = bare(definitions[name]) as Schema;
      pending.push(...references(schema));
      const known = result.definitions[name] ?? [];
      result.definitions[name] = known;
      const same = known.find((one) => JSON.stringify(one.schema) === JSON.stringify(schema));
      if (same) same.versions.push(version);
      else known.push({ versions: [version], schema });
    }
  }
  for (const file of files.filter((one) => one.endsWith('.yaml'))) {
    const { spec } = parse(readFileSync(join(folder, file), 'utf8')) as {
      spec: {
        group: string;
        names: { kind: string };
        versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
      };
    };
    for (const { name, schema } of spec.versions) {
      const of = `${spec.group}/${name} ${spec.names.kind}`;
      result.kinds[of] = of;
      result.definitions[of] = [{ versions, schema: bare(schema.openAPIV3Schema) as Schema }];
    }
  }
  return result;
}

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('which folder?');
writeFileSync(join(import.meta.dirname, 'schemas.json'), `${JSON.stringify(derive(folder))}\n`);
