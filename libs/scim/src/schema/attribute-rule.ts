import type { Attribute, Schema } from './attribute.ts';

/**
 * Which attributes a client may write: those at the paths only, or all but those. A path is an attribute
 * (`displayName`, which is that of users and of groups), a part of one with a single value (`name.familyName`), one
 * behind the URN of its schema, or such a URN for all of its attributes.
 */
export interface AttributeRule {
  readonly mode: 'only' | 'except';
  readonly paths: readonly string[];
}

/**
 * The schema as it is for a client bound by the rule: what they may not write is readOnly to them, so that a POST or PUT
 * ignores it and leaves it as it was (RFC 7644 §3.5.1), and a PATCH is refused (§3.5.2).
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
    // A part of each of several values can't be told apart from the value: it stands for the attribute.
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
