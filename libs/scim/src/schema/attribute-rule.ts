import type { Attribute, Schema } from './attribute.ts';

/**
 * Attributes that a client may write: only those at the paths, or all except those. A path is an attribute
 * (`displayName` means that of users and of groups), a part of a single complex value (`name.familyName`), an
 * attribute after the URN of its schema, or the URN for all of its attributes.
 */
export interface AttributeRule {
  readonly mode: 'only' | 'except';
  readonly paths: readonly string[];
}

/**
 * Returns the schema for a client bound by the rule: withheld attributes are readOnly, so that POST and PUT
 * ignore them (RFC 7644 §3.5.1), and PATCH is rejected (§3.5.2).
 */
export function withheldBy({ mode, paths }: AttributeRule, schema: Schema, isCore: boolean): Schema {
  const named = new Set(paths.map((path) => path.toLowerCase()));
  const urn = schema.id.toLowerCase();
  const isNamed = (path: string): boolean =>
    (isCore && named.has(path.toLowerCase())) || named.has(`${urn}:${path.toLowerCase()}`);
  const restrict = (attribute: Attribute): Attribute => {
    if (attribute.mutability === 'readOnly') return attribute;
    const whole = named.has(urn) || isNamed(attribute.name);
    const parts = attribute.subAttributes?.filter(({ name }) => isNamed(`${attribute.name}.${name}`)) ?? [];
    if (whole || parts.length === 0) return whole === (mode === 'only') ? attribute : withheld(attribute);
    // A part of one of several values cannot be separated from the value, so it stands for the attribute.
    if (attribute.multiValued) return withheld(attribute);
    return {
      ...attribute,
      subAttributes: attribute.subAttributes?.map((sub) =>
        parts.includes(sub) === (mode === 'only') ? sub : withheld(sub),
      ) as readonly Attribute[],
    };
  };
  return { ...schema, attributes: schema.attributes.map(restrict) };
}

const withheld = (attribute: Attribute): Attribute =>
  attribute.mutability === 'readOnly' ? attribute : { ...attribute, mutability: 'readOnly', withheld: true };
