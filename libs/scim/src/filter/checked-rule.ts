import { quote, ScimError } from '../errors.ts';
import type { AttributeRule } from '../schema/attribute-rule.ts';
import type { SchemaRegistry } from '../schema/registry.ts';
import { parsePath } from './parser.ts';

/**
 * Checks that every path of a rule names something that can be withheld.
 * @throws ScimError invalidPath, naming the path
 */
export function checkAttributeRule({ paths }: AttributeRule, registry: SchemaRegistry): void {
  for (const path of paths) {
    if (registry.schema(path) !== undefined) continue;
    if (!canBeRuled(path, registry)) {
      throw ScimError.invalidPath(
        `${quote(path)} is no attribute that can be written, nor a part of one with a single value.`,
      );
    }
  }
}

/** `externalId` is each source's own, and `schemas` follows from the rest: neither can be withheld. */
const always: ReadonlySet<string> = new Set(['schemas', 'externalId']);

function canBeRuled(text: string, registry: SchemaRegistry): boolean {
  try {
    const path = parsePath(text);
    if (path.filter !== undefined) return false;
    return registry.resourceTypes().some(({ name }) => {
      const target = registry.resolve(name, path);
      if (target?.attribute === undefined) return false;
      if (target.extension === undefined && always.has(target.attribute.name)) return false;
      if (target.definition.mutability === 'readOnly') return false;
      return target.subAttribute === undefined || !target.attribute.multiValued;
    });
  } catch (error) {
    if (error instanceof ScimError) return false;
    throw error;
  }
}
