import { quote, ScimError } from '../errors.ts';
import type {
  AttributePath,
  ComparisonNode,
  ComparisonOperator,
  ComparisonValue,
  FilterNode,
  PresenceNode,
} from '../filter/ast.ts';
import { printPath } from '../filter/print.ts';
import { canonicalReference } from '../resource/references.ts';
import { type Attribute, comparisonForm, findSubAttribute, isSecret, isText } from '../schema/attribute.ts';
import { type AttributeReference, attributeReference, type SchemaRegistry } from '../schema/registry.ts';
import { canonicalDateTime, isStorable } from '../text.ts';

/**
 * A comparison with matching types. `value` is in the form for comparison: a text in its `comparisonForm`, a
 * dateTime in canonical form. `literal` is the client's text. Never null: a comparison with null is bound as
 * presence.
 */
export interface BoundComparison {
  readonly kind: 'compare';
  readonly target: AttributeReference;
  readonly operator: ComparisonOperator;
  readonly value: string | number | boolean;
  readonly literal: string | number | boolean;
}

export interface BoundPresence {
  readonly kind: 'present';
  readonly target: AttributeReference;
}

/** An element of the multi-valued `target` matches `filter`, whose targets are relative to the element. */
export interface BoundElement {
  readonly kind: 'element';
  readonly target: AttributeReference;
  readonly filter: BoundFilter;
}

/** Matches nothing: a comparison with an impossible value. */
export interface BoundNever {
  readonly kind: 'never';
}

/** A filter whose names are attributes of a resource type and whose operators fit their types. */
export type BoundFilter =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly BoundFilter[] }
  | { readonly kind: 'not'; readonly operand: BoundFilter }
  | BoundComparison
  | BoundPresence
  | BoundElement
  | BoundNever;

/** Scope in which a filter's names are resolved. */
type Scope =
  | { readonly kind: 'resource'; readonly registry: SchemaRegistry; readonly type: string }
  | { readonly kind: 'element'; readonly attribute: Attribute; readonly unknown: UnknownAttribute };

/** The error for a name that isn't known, which depends on where the filter stands. */
type UnknownAttribute = (detail: string) => ScimError;

/**
 * Gives a parsed filter its meaning for a resource type.
 * @throws ScimError invalidFilter for an unknown attribute, or an operator or value its type doesn't have.
 */
export function bindFilter(node: FilterNode, registry: SchemaRegistry, type: string): BoundFilter {
  return bind(node, { kind: 'resource', registry, type });
}

/**
 * Gives the filter inside a valuePath its meaning: names are sub-attributes of `attribute`, or `value` for
 * the elements of a simple multi-valued one.
 * @param unknown makes the error for an unknown name; in a PATCH path that is `ScimError.invalidPath`.
 * @throws ScimError invalidFilter
 */
export function bindElementFilter(
  node: FilterNode,
  attribute: Attribute,
  unknown: UnknownAttribute = ScimError.invalidFilter,
): BoundFilter {
  return bind(node, { kind: 'element', attribute, unknown });
}

function bind(node: FilterNode, scope: Scope): BoundFilter {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, operands: node.operands.map((operand) => bind(operand, scope)) };
    case 'not':
      return { kind: 'not', operand: bind(node.operand, scope) };
    case 'compare':
    case 'present':
      return node.path.filter === undefined ? bindTest(node, scope) : bindValuePath(node.path, scope, node);
    case 'valuePath':
      return bindValuePath(node.path, scope);
  }
}

/** `attribute[filter]`, and `attribute[filter].sub op value`, which is `attribute[(filter) and sub op value]`. */
function bindValuePath(path: AttributePath, scope: Scope, test?: ComparisonNode | PresenceNode): BoundFilter {
  if (path.filter === undefined || scope.kind === 'element')
    throw unsupported(path, 'cannot have a value filter');
  const { filter, subAttribute, ...outer } = path;
  const target = lookUp(outer, scope);
  const { attribute } = target;
  const inner: FilterNode =
    test === undefined || subAttribute === undefined
      ? filter
      : {
          kind: 'and',
          operands: [filter, { ...test, path: { name: subAttribute, offset: path.offset } }],
          offset: path.offset,
        };
  if (attribute.multiValued) {
    return { kind: 'element', target, filter: bindElementFilter(inner, attribute) };
  }
  if (attribute.type !== 'complex') throw unsupported(path, 'cannot have a value filter');
  // A single complex value is its own only element.
  const element = bindElementFilter(inner, attribute);
  return { kind: 'and', operands: [{ kind: 'present', target }, rebase(element, target)] };
}

/** Makes targets relative to a single complex value relative to the resource. */
function rebase(filter: BoundFilter, parent: AttributeReference): BoundFilter {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, operands: filter.operands.map((operand) => rebase(operand, parent)) };
    case 'not':
      return { kind: 'not', operand: rebase(filter.operand, parent) };
    case 'element':
    case 'never':
      return filter;
    default:
      return {
        ...filter,
        target: attributeReference(parent.extension, parent.attribute, filter.target.definition),
      };
  }
}

function bindTest(node: ComparisonNode | PresenceNode, scope: Scope): BoundFilter {
  const target = lookUp(node.path, scope);
  if (node.kind === 'present') return bindPresence(target, node.path);
  return bindComparison(node, comparable(target, node.path));
}

/**
 * Attributes that are never returned do not count as present; for a complex attribute with such parts, only
 * its other parts count.
 */
function bindPresence(target: AttributeReference, path: AttributePath): BoundFilter {
  const { attribute, definition, extension } = target;
  const parts = definition.subAttributes ?? [];
  if (!parts.some(isSecret)) return { kind: 'present', target };
  const shown = parts.filter((part) => !isSecret(part));
  if (shown.length === 0) throw unsupported(path, 'cannot be used in a filter');
  const presenceOf = (of: (part: Attribute) => AttributeReference): BoundFilter => ({
    kind: 'or',
    operands: shown.map((part) => ({ kind: 'present', target: of(part) })),
  });
  return attribute.multiValued
    ? { kind: 'element', target, filter: presenceOf(relative) }
    : presenceOf((part) => attributeReference(extension, attribute, part));
}

/** Returns a part relative to an element of its attribute. */
const relative = (part: Attribute): AttributeReference => ({
  attribute: part,
  definition: part,
  keys: [part.name],
  canonical: part.name,
});

function lookUp(path: AttributePath, scope: Scope): AttributeReference {
  const target =
    scope.kind === 'resource'
      ? scope.registry.resolve(scope.type, path)
      : subReference(path, scope.attribute);
  if (target?.attribute === undefined) {
    const unknown = scope.kind === 'element' ? scope.unknown : ScimError.invalidFilter;
    throw unknown(`Unknown attribute ${quote(printPath(path))} at offset ${path.offset}.`);
  }
  if (isSecret(target.attribute) || isSecret(target.definition)) {
    // A comparison would disclose a value that is never returned.
    throw unsupported(path, 'cannot be used in a filter');
  }
  return target;
}

/** A reference relative to an element of `attribute`. Elements of a simple attribute are called `value`. */
function subReference(path: AttributePath, attribute: Attribute): AttributeReference | undefined {
  if (path.urn !== undefined || path.subAttribute !== undefined) return undefined;
  if (attribute.type === 'complex') {
    const sub = findSubAttribute(attribute, path.name);
    return sub && relative(sub);
  }
  if (path.name.toLowerCase() !== 'value') return undefined;
  const element: Attribute = { ...attribute, multiValued: false };
  return { attribute: element, definition: element, keys: [], canonical: 'value' };
}

/** A complex attribute is compared by its `value` sub-attribute, as in `emails co "example.com"`. */
function comparable(target: AttributeReference, path: AttributePath): AttributeReference {
  if (target.definition.type !== 'complex') return target;
  const value = findSubAttribute(target.definition, 'value');
  if (value === undefined) throw unsupported(path, 'is complex: compare one of its sub-attributes');
  if (isSecret(value)) throw unsupported(path, 'cannot be used in a filter');
  return attributeReference(target.extension, target.attribute, value);
}

function bindComparison(node: ComparisonNode, target: AttributeReference): BoundFilter {
  const { operator, value, path } = node;
  if (value === null) {
    // RFC 7643 §2.5: null is the state of having no value.
    if (operator === 'ne') return { kind: 'present', target };
    if (operator === 'eq') return { kind: 'not', operand: { kind: 'present', target } };
    throw unsupported(path, `cannot be compared with null by "${operator}"`);
  }
  const { definition } = target;
  if (!operatorsOf(definition).includes(operator)) {
    throw unsupported(
      path,
      `is of type ${definition.type}, which does not support the operator "${operator}"`,
    );
  }
  if (typeof value === 'string' && isText(definition) && !isStorable(value)) return bindImpossible(node);
  return {
    kind: 'compare',
    target,
    operator,
    value: comparisonValue(addressed(value, operator, definition), definition, path),
    literal: value,
  };
}

/**
 * Binds an impossible text (NUL, a lone surrogate): it equals no value and differs from every value, so a
 * malformed id gets the same response as an unknown one. Ordering comparisons never match.
 */
function bindImpossible({ operator, path }: ComparisonNode): BoundFilter {
  if (operator === 'ne') return { kind: 'not', operand: { kind: 'never' } };
  if (order.includes(operator))
    throw unsupported(path, 'can be ordered only against a string without NUL and lone surrogates');
  return { kind: 'never' };
}

const equality: readonly ComparisonOperator[] = ['eq', 'ne'];
const order: readonly ComparisonOperator[] = ['gt', 'ge', 'lt', 'le'];
const substring: readonly ComparisonOperator[] = ['co', 'sw', 'ew'];

/** Booleans and binary values have no order (RFC 7644 §3.4.2.2 table 3), and only text has parts. */
function operatorsOf(definition: Attribute): readonly ComparisonOperator[] {
  switch (definition.type) {
    case 'string':
    case 'reference':
      return [...equality, ...order, ...substring];
    case 'decimal':
    case 'integer':
    case 'dateTime':
      return [...equality, ...order];
    case 'boolean':
    case 'binary':
      return equality;
    case 'complex':
      return [];
  }
}

/** A resource's URL is stored in a normal form; all other forms are converted to it. */
function addressed(
  value: Exclude<ComparisonValue, null>,
  operator: ComparisonOperator,
  definition: Attribute,
): Exclude<ComparisonValue, null> {
  if (typeof value !== 'string' || !equality.includes(operator)) return value;
  return canonicalReference(definition, value) ?? value;
}

function comparisonValue(
  value: Exclude<ComparisonValue, null>,
  definition: Attribute,
  path: AttributePath,
): string | number | boolean {
  switch (definition.type) {
    case 'boolean':
      if (typeof value === 'boolean') return value;
      break;
    case 'decimal':
    case 'integer':
      if (typeof value === 'number') return value;
      break;
    case 'dateTime': {
      const instant = typeof value === 'string' ? canonicalDateTime(value) : undefined;
      if (instant !== undefined) return instant;
      break;
    }
    default:
      if (typeof value === 'string') return comparisonForm(definition, value);
  }
  throw unsupported(
    path,
    `is of type ${definition.type}; ${JSON.stringify(value).slice(0, 60)} is not a value of this type`,
  );
}

function unsupported(path: AttributePath, why: string): ScimError {
  return ScimError.invalidFilter(`${quote(printPath(path))} at offset ${path.offset} ${why}.`);
}
