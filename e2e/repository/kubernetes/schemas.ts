import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';

export interface Schema {
  type?: string | string[];
  format?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  [keyword: string]: unknown;
}

/** File that derive-schemas.ts writes: each definition with the versions of Kubernetes that have it. */
export interface Schemas {
  versions: string[];
  /** Definitions by API version and kind. */
  kinds: Record<string, string>;
  definitions: Record<string, { versions: string[]; schema: Schema }[]>;
}

const schemas = JSON.parse(readFileSync(join(import.meta.dirname, 'schemas.json'), 'utf8')) as Schemas;

export const kubernetesVersions: readonly string[] = schemas.versions;

/** Rejects unknown fields, like `kubectl apply` by default. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, of]) => {
    if (name === 'properties')
      return [name, Object.fromEntries(Object.entries(of as object).map(([key, one]) => [key, strict(one)]))];
    return [name, name === '$ref' ? `#/definitions/${encodeURIComponent(String(of))}` : strict(of)];
  });
  const schema = Object.fromEntries(entries) as Schema;
  return schema.properties !== undefined && schema.additionalProperties === undefined
    ? { ...schema, additionalProperties: false }
    : schema;
}

const quantity = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const registries = new Map<string, Ajv>();

function registryOf(version: string): Ajv {
  const known = registries.get(version);
  if (known) return known;
  const definitions = Object.fromEntries(
    Object.entries(schemas.definitions).flatMap(([name, all]) => {
      const one = all.find(({ versions }) => versions.includes(version));
      if (one === undefined) return [];
      return [[name, name === quantity ? { type: ['string', 'number'] } : strict(one.schema)]];
    }),
  );
  const registry = new Ajv({ strict: false, validateFormats: false, logger: false, inlineRefs: false });
  registry.addSchema({ $id: 'kubernetes', definitions });
  registries.set(version, registry);
  return registry;
}

function validatorFor(version: string, kind: string): ValidateFunction {
  const name = schemas.kinds[kind];
  const validator =
    name === undefined
      ? undefined
      : registryOf(version).getSchema(`kubernetes#/definitions/${encodeURIComponent(name)}`);
  if (validator === undefined) throw new Error(`Kubernetes ${version} has no ${kind}`);
  return validator;
}

/** Returns the errors of an object in a version of Kubernetes. */
export function problemsOf(version: string, manifest: { apiVersion: string; kind: string }): string[] {
  const validator = validatorFor(version, `${manifest.apiVersion} ${manifest.kind}`);
  if (validator(manifest)) return [];
  return (validator.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
