const core = 'urn:ietf:params:scim:schemas:core:2.0:user:';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user';

/** Names mean the same in any case, and a core attribute with or without the URN of its schema (RFC 7644 §3.10). */
const normal = (path: string): string => {
  const lower = path.trim().toLowerCase();
  return lower.startsWith(core) ? lower.slice(core.length) : lower;
};

/** Whether what is said of one path holds for another, too: of an attribute for its parts, of a schema for its attributes. */
const covers = (rule: string, path: string): boolean =>
  rule === path || path.startsWith(`${rule}.`) || (rule.startsWith('urn:') && path.startsWith(`${rule}:`));

export interface Rule {
  mode: 'ONLY' | 'EXCEPT';
  paths: readonly string[];
}

/** Whether an identity source may write an attribute of a person. */
export function mayWrite(rule: Rule | null, path: string): boolean {
  const wanted = normal(path);
  // What it calls somebody is each source's own.
  if (rule === null || wanted === 'externalid') return true;
  const isNamed = rule.paths.some((one) => covers(normal(one), wanted));
  return rule.mode === 'ONLY' ? isNamed : !isNamed;
}

export const enterprisePath = (attribute: string): string =>
  `${enterprise.replace(/:user$/, ':User')}:${attribute}`;
