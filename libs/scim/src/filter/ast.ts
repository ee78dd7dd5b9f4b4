/** Comparison operators (RFC 7644 §3.4.2.2 table 3); `pr` is a node of its own. */
export type ComparisonOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/** The right side of a comparison: a JSON scalar. */
export type ComparisonValue = string | number | boolean | null;

/**
 * A path as written, not yet resolved: `[urn:]name[filter].subAttribute`. A filter path has `filter` only in
 * a valuePath. `offset` counts UTF-16 code units from the start of the text.
 */
export interface AttributePath {
  readonly urn?: string;
  readonly name: string;
  readonly filter?: FilterNode;
  readonly subAttribute?: string;
  readonly offset: number;
}

/** `a and b and c` is one node with three operands. Parentheses show only as nesting. */
export interface LogicalNode {
  readonly kind: 'and' | 'or';
  readonly operands: readonly FilterNode[];
  readonly offset: number;
}

export interface NotNode {
  readonly kind: 'not';
  readonly operand: FilterNode;
  readonly offset: number;
}

export interface ComparisonNode {
  readonly kind: 'compare';
  readonly path: AttributePath;
  readonly operator: ComparisonOperator;
  readonly value: ComparisonValue;
  readonly offset: number;
}

/** `path pr` */
export interface PresenceNode {
  readonly kind: 'present';
  readonly path: AttributePath;
  readonly offset: number;
}

/** `emails[…]` on its own: an element matches. `path.filter` is always set. */
export interface ValuePathNode {
  readonly kind: 'valuePath';
  readonly path: AttributePath;
  readonly offset: number;
}

/** A parsed filter with names as the client wrote them; `bindFilter` resolves them. */
export type FilterNode = LogicalNode | NotNode | ComparisonNode | PresenceNode | ValuePathNode;
