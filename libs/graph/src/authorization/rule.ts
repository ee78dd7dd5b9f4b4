import type { Principal } from '@ostiary/access';
import type { GraphQLField } from 'graphql';
import { isPlatform } from './principal.ts';

/**
 * Rule for reading a field. The alternatives are joined by *or*. `inherit` stands alone: the field is as open
 * as the guarded field that led to it.
 */
export interface Rule {
  /** Scopes, one of which is required. */
  readonly any: readonly string[];
  /** Property of the parent object that names its owner; a user's token of that subject is enough. */
  readonly owner: string | undefined;
  /** Any user's token is enough; a client's isn't. */
  readonly user: boolean;
  /** A user token with one of these scopes grants access to the user's own data. */
  readonly self: readonly string[];
  /** Additionally requires a token of the platform; no tenant's token is sufficient, with any scopes. */
  readonly platform?: boolean;
  readonly inherit: boolean;
}

/** Reports whether `rule` permits `principal` to read a field of `parent`. The caller decides `inherit`. */
export function permits(rule: Rule, principal: Principal, parent: unknown): boolean {
  if (isClosedTo(rule, principal)) return false;
  return permitsAlways(rule, principal) || owns(rule, principal, parent);
}

/**
 * Reports whether `rule` may permit `principal` to read a field of an object of which only a representation
 * is known.
 */
export function mayPermit(rule: Rule, principal: Principal, representation: object): boolean {
  if (isClosedTo(rule, principal)) return false;
  if (permitsAlways(rule, principal)) return true;
  if (rule.owner === undefined || principal.kind !== 'user') return false;
  // The owner may be only in the loaded object; the field's own guard then decides.
  return !Object.hasOwn(representation, rule.owner) || owns(rule, principal, representation);
}

/** Reports whether a rule requires a platform token and the principal has another. */
export const isClosedTo = (rule: Rule, principal: Principal): boolean =>
  rule.platform === true && !isPlatform(principal);

function permitsAlways(rule: Rule, principal: Principal): boolean {
  if (principal.kind === 'user') {
    if (rule.user) return true;
    for (const scope of rule.self) if (principal.scopes.has(scope)) return true;
  }
  for (const scope of rule.any) if (principal.scopes.has(scope)) return true;
  return false;
}

function owns(rule: Rule, principal: Principal, parent: unknown): boolean {
  if (rule.owner === undefined || principal.kind !== 'user') return false;
  if (typeof parent !== 'object' || parent === null) return false;
  return (parent as Record<string, unknown>)[rule.owner] === principal.subject;
}

/** Every rule that has to hold for a field, joined by *and*: the type's own, then those of its interfaces. */
export type FieldRules = ReadonlyMap<GraphQLField<unknown, unknown>, readonly Rule[]>;
