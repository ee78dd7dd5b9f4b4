import { ScimError } from '../errors.ts';
import type { Attribute } from './attribute.ts';

/** Requirements of a changed attribute on existing values. */
export interface AttributeDemands {
  /** Full names of attributes of which every resource with the extension must now have a value. */
  readonly required: string[];
  /** Full names of attributes whose values are no longer kept unique. */
  readonly released: string[];
}

/**
 * Verifies that an attribute can be replaced by another while values exist: stored, folded and indexed values
 * stay correct, and earlier guarantees still apply. Types, case and multiplicity stay, nothing becomes
 * unique, and values that were never returned stay so.
 * @param path the attribute's full name: `urn:…:User:badge`
 * @throws ScimError 409 for an incompatible change
 */
export function evolveAttribute(before: Attribute, after: Attribute, path: string): AttributeDemands {
  const demands: AttributeDemands = { required: [], released: [] };
  evolve(before, after, path, demands);
  return demands;
}

function evolve(before: Attribute, after: Attribute, path: string, demands: AttributeDemands): void {
  const fixed = ['name', 'type', 'multiValued', 'caseExact'] as const;
  const changed = fixed.find((characteristic) => before[characteristic] !== after[characteristic]);
  if (changed) throw incompatible(path, `its ${changed} cannot change`);
  if (before.returned === 'never' && after.returned !== 'never') {
    throw incompatible(path, 'its values were stored as never returned');
  }
  if (before.uniqueness === 'none' && after.uniqueness !== 'none') {
    throw incompatible(path, 'existing values are not unique');
  }
  if (before.uniqueness !== 'none' && after.uniqueness === 'none') demands.released.push(path);
  if (narrowed(before.referenceTypes, after.referenceTypes)) {
    throw incompatible(path, 'its reference types can only be extended');
  }
  const restricts = after.restricted && after.canonicalValues !== undefined;
  const wasRestricted = before.restricted && before.canonicalValues !== undefined;
  if (restricts && (!wasRestricted || narrowed(before.canonicalValues, after.canonicalValues))) {
    throw incompatible(path, 'its canonical values can only be extended');
  }
  if (after.required && !before.required) demands.required.push(path);
  evolveParts(before, after, path, demands);
}

function evolveParts(before: Attribute, after: Attribute, path: string, demands: AttributeDemands): void {
  const parts = new Map((after.subAttributes ?? []).map((sub) => [sub.name, sub]));
  for (const sub of before.subAttributes ?? []) {
    const next = parts.get(sub.name);
    if (next === undefined) throw incompatible(path, `its sub-attribute ${sub.name} cannot be removed`);
    parts.delete(sub.name);
    if (next.required && !sub.required) {
      throw incompatible(`${path}.${sub.name}`, 'an existing sub-attribute cannot become required');
    }
    evolve(sub, next, `${path}.${sub.name}`, demands);
  }
  for (const added of parts.values()) {
    if (added.required) throw incompatible(`${path}.${added.name}`, 'existing values lack it');
  }
}

const narrowed = (before: readonly string[] | undefined, after: readonly string[] | undefined): boolean =>
  before?.some((value) => !after?.includes(value)) ?? false;

const incompatible = (path: string, why: string): ScimError =>
  ScimError.conflict(`${path} cannot be changed: ${why}.`);
