import type { JsonObject } from '../json.ts';
import type { AttributeReference } from '../schema/registry.ts';

/** Adds a query parameter and returns its placeholder, e.g. `$3`. */
export type BindParameter = (value: unknown) => string;

/** An SQL expression, as a function if it has parameters. Trusted text, never from a client. */
export type SqlText = string | ((bind: BindParameter) => string);

/** A column, or any expression, that holds the value of an attribute. */
export interface SqlColumn {
  readonly column: SqlText;
  /**
   * For attributes that are not `caseExact`: an expression with `foldCase(value)`. Without it the column is
   * folded at query time.
   */
  readonly folded?: SqlText;
  /**
   * The column's type if it differs from the attribute's (string: text, boolean: boolean, integer and
   * decimal: numeric, dateTime: timestamptz). A malformed `uuid` equals nothing, without an error.
   */
  readonly type?: 'uuid';
  /**
   * Predicate for `eq` that an index serves better than `column = $n`. Gets the value in its form for
   * comparison.
   */
  readonly equals?: (value: string | number | boolean, bind: BindParameter) => string;
  /** A B-tree on (scope, this column in comparison form and code point order, id), and whether a value is in it once. */
  readonly ordered?: 'unique' | 'repeated';
  /**
   * Part of a resource by which `SqlIndexes.contains` finds a value of this attribute, if `data` does not
   * have it.
   */
  readonly sample?: (value: string | number | boolean) => JsonObject;
}

/**
 * Indexes that find candidates: a superset of the matches. Each condition is complete in itself: it includes
 * the tenant, or other scope, in the form that its index supports.
 */
export interface SqlIndexes {
  /** The equality that every `ordered` index begins with: `u.tenant = $1`. */
  readonly scope: string;
  /** Rows that contain this part of a folded resource. */
  readonly contains?: (sample: JsonObject, bind: BindParameter) => string;
  /** Attributes whose values select few rows. Others are checked first. */
  readonly selective?: ReadonlySet<string>;
  /**
   * Text with the folded values of an attribute and others as JSON, with a trigram index; undefined for an
   * attribute without one.
   */
  readonly text?: (target: AttributeReference) => string | undefined;
  /** Scope in the form of the trigram index. */
  readonly textScope?: string;
}

/** A multi-valued attribute whose elements are rows, e.g. memberships. */
export interface SqlCollection {
  /** FROM item(s) with their correlation, e.g. `directory.memberships m`. */
  readonly from: SqlText;
  /** Correlation with the outer row, e.g. `m.group_id = g.id`. */
  readonly where: SqlText;
  /** By name of the sub-attribute, `value` for a simple attribute. A sub-attribute left out has no value. */
  readonly columns: Readonly<Record<string, SqlColumn>>;
  /** Rows that have an element with this `value`, a canonical UUID, found from the element's side. For candidates. */
  readonly owners?: (value: string, bind: BindParameter) => string;
}

/** Locations of the attributes of one resource type in SQL. */
export interface SqlMapping {
  /** jsonb expression with the resource under canonical names, as `validateResource` returns it: `u.data`. */
  readonly data: string;
  /**
   * jsonb expression with the same resource after `foldResource`. When given, it is compared instead of
   * folding `data` at query time, and a GIN (jsonb_path_ops) index on it serves every `eq`.
   */
  readonly folded?: string;
  /**
   * Attributes that are not in `data`, or have a better location, by canonical path: `userName`,
   * `meta.created`, `members`.
   */
  readonly attributes?: Readonly<Record<string, SqlColumn | SqlCollection>>;
  /** For `compileCandidates`. */
  readonly indexes?: SqlIndexes;
  /** Number of the first placeholder; default 1. */
  readonly firstParameter?: number;
  /** Folds a text expression as `foldCase` does; default `lower(… COLLATE "pg_c_utf8")` (PostgreSQL 17+). */
  readonly fold?: (expression: string) => string;
}

/** A piece of SQL with its parameters, numbered from `firstParameter`. */
export interface SqlFragment {
  readonly text: string;
  readonly values: unknown[];
}

/** Collects parameters in the order of their placeholders. */
export class Parameters {
  readonly values: unknown[] = [];
  readonly #first: number;

  constructor(first = 1) {
    this.#first = first;
  }

  readonly bind: BindParameter = (value) => {
    this.values.push(value);
    return `$${this.#first + this.values.length - 1}`;
  };

  expand(text: SqlText): string {
    return typeof text === 'string' ? text : text(this.bind);
  }
}

export function isCollection(entry: SqlColumn | SqlCollection | undefined): entry is SqlCollection {
  return entry !== undefined && 'from' in entry;
}

/** An SQL string literal. Only for names from the registry; values are parameters. */
function sqlLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** `column -> 'a' -> 'b'` */
export function jsonAt(base: string, keys: readonly string[]): string {
  return keys.length === 0 ? base : `(${[base, ...keys.map(sqlLiteral)].join(' -> ')})`;
}

/** `column -> 'a' ->> 'b'`; without keys, the text of the scalar itself. */
export function textAt(base: string, keys: readonly string[]): string {
  const last = keys.at(-1);
  if (last === undefined) return `(${base} #>> '{}')`;
  return `(${[base, ...keys.slice(0, -1).map(sqlLiteral)].join(' -> ')} ->> ${sqlLiteral(last)})`;
}
