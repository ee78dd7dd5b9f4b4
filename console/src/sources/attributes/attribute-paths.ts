const core = 'urn:ietf:params:scim:schemas:core:2.0:user:';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user';

/** Attribute names are case-insensitive, and core attributes may have the URN of their schema (RFC 7644 §3.10). */
const normal = (path: string): string => {
  const lower = path.trim().toLowerCase();
  return lower.startsWith(core) ? lower.slice(core.length) : lower;
};

/**
 * Reports whether a rule for one path includes another: an attribute includes its sub-attributes, a schema its
 * attributes.
 */
const covers = (rule: string, path: string): boolean =>
  rule === path || path.startsWith(`${rule}.`) || (rule.startsWith('urn:') && path.startsWith(`${rule}:`));

export interface Rule {
  mode: 'ONLY' | 'EXCEPT';
  paths: readonly string[];
}

/** Reports whether an identity source may write an attribute of a user. */
export function mayWrite(rule: Rule | null, path: string): boolean {
  const wanted = normal(path);
  // The external id belongs to the source.
  if (rule === null || wanted === 'externalid') return true;
  const isNamed = rule.paths.some((one) => covers(normal(one), wanted));
  return rule.mode === 'ONLY' ? isNamed : !isNamed;
}

export const enterprisePath = (attribute: string): string =>
  `${enterprise.replace(/:user$/, ':User')}:${attribute}`;
