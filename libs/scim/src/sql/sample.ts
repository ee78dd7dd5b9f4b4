import type { JsonObject, JsonValue } from '../json.ts';
import type { BoundFilter } from '../matching/bind.ts';
import { isPrimary } from '../matching/evaluate.ts';
import { type Attribute, isText } from '../schema/attribute.ts';

/** Reports whether `eq` on the stored JSON is equality: nothing to fold, and absence is not a value. */
export function isContainable(definition: Attribute, folded: boolean): boolean {
  if (isPrimary(definition)) return false;
  return folded || definition.caseExact || !isText(definition);
}

/** The element that a conjunction of `eq` describes; undefined for any other filter. */
export function sampleOf(filter: BoundFilter, folded: boolean): JsonValue | undefined {
  const comparisons = filter.kind === 'and' ? filter.operands : [filter];
  const sample: JsonObject = {};
  for (const comparison of comparisons) {
    if (comparison.kind !== 'compare' || comparison.operator !== 'eq') return undefined;
    const { definition, keys } = comparison.target;
    // An element with `primary: true` is found by containment; one without it is not `false` in JSON.
    const exact = isContainable(definition, folded) || (isPrimary(definition) && comparison.value === true);
    if (!exact) return undefined;
    const [key] = keys;
    if (key === undefined) return comparisons.length === 1 ? comparison.value : undefined;
    if (Object.hasOwn(sample, key) && sample[key] !== comparison.value) return undefined;
    sample[key] = comparison.value;
  }
  return sample;
}

/** Returns the smallest object with the value at these keys. */
export function nest(keys: readonly string[], value: JsonValue): JsonObject {
  const nested = keys.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);
  return nested as JsonObject;
}
