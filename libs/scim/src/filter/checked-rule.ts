import { quote, ScimError } from '../errors.ts';
import type { AttributeRule } from '../schema/attribute-rule.ts';
import type { SchemaRegistry } from '../schema/registry.ts';
import { parsePath } from './parser.ts';

/**
 * Verifies that every path of a rule names an attribute that can be withheld.
 * @throws ScimError invalidPath with the path
 */
export function checkAttributeRule({ paths }: AttributeRule, registry: SchemaRegistry): void {
  for (const path of paths) {
    if (registry.schema(path) !== undefined) continue;
    if (!canBeRuled(path, registry)) {
      throw ScimError.invalidPath(
        `${quote(path)} is neither a writable attribute nor a sub-attribute of a single-valued one.`,
      );
    }
  }
}

/** `externalId` is separate per source, and `schemas` is computed: neither can be withheld. */
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
