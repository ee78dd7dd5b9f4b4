import { badUserInput } from '@ostiary/graph';
import { ENTERPRISE_USER_SCHEMA, parseFilter } from '@ostiary/scim';

/** Comparisons of a text, combined by AND. */
export interface TextFilter {
  equals?: string | null;
  notEquals?: string | null;
  in?: string[] | null;
  contains?: string | null;
  startsWith?: string | null;
  endsWith?: string | null;
  isPresent?: boolean | null;
}

interface TimeFilter {
  from?: Date | null;
  before?: Date | null;
}

/** A typed filter of an input. */
export type TypedFilter = Record<string, unknown> & {
  and?: TypedFilter[] | null;
  or?: TypedFilter[] | null;
  not?: TypedFilter | null;
};

/** Names in SCIM of the fields of a typed filter. */
const attributes: Readonly<Record<string, string>> = {
  userName: 'userName',
  displayName: 'displayName',
  givenName: 'name.givenName',
  familyName: 'name.familyName',
  title: 'title',
  email: 'emails.value',
  department: `${ENTERPRISE_USER_SCHEMA}:department`,
  externalId: 'externalId',
  active: 'active',
  groupId: 'groups.value',
  memberId: 'members.value',
  createdAt: 'meta.created',
  updatedAt: 'meta.lastModified',
};

/** Maximum number of terms of a typed filter, and of its levels. */
const maxTerms = 50;
const deepest = 6;

/**
 * Returns one SCIM filter that combines the text and the typed filter by AND.
 * @throws ScimError invalidFilter for an invalid text; BAD_USER_INPUT
 */
export function scimFilter(text: string | undefined, typed: TypedFilter | undefined): string | undefined {
  const compiled = typed && new Compiler().all(typed, 1);
  if (text === undefined || compiled === undefined) return text ?? compiled;
  // Unparsed, the text could close the parentheses.
  parseFilter(text);
  return `(${text}) and (${compiled})`;
}

class Compiler {
  #terms = 0;

  /** Combines all parts by AND; undefined when there are none. */
  all(filter: TypedFilter, depth: number): string | undefined {
    if (depth > deepest) throw tooComplex();
    const { and, or, not, ...fields } = filter;
    const parts = Object.entries(fields).flatMap(([name, value]) => this.#field(name, value));
    parts.push(...(and ?? []).flatMap((part) => this.all(part, depth + 1) ?? []));
    if (or) {
      // An empty alternative matches every resource.
      const alternatives = or.map((part) => this.all(part, depth + 1));
      if (alternatives.length === 0)
        throw badUserInput('"or" needs at least one filter.', { argument: 'where' });
      if (!alternatives.includes(undefined)) parts.push(joined(alternatives as string[], 'or'));
    }
    const negated = not && this.all(not, depth + 1);
    if (not && negated === undefined) throw badUserInput('"not" needs a filter.', { argument: 'where' });
    if (negated !== undefined && negated !== null) parts.push(`not (${negated})`);
    return parts.length === 0 ? undefined : joined(parts, 'and');
  }

  #field(name: string, value: unknown): string[] {
    const attribute = attributes[name];
    if (attribute === undefined || value === null || value === undefined) return [];
    if (typeof value !== 'object') return [this.#term(attribute, 'eq', value)];
    if (name === 'createdAt' || name === 'updatedAt') return this.#times(attribute, value as TimeFilter);
    return this.#texts(attribute, value as TextFilter);
  }

  #times(attribute: string, { from, before }: TimeFilter): string[] {
    return [
      ...(from ? [this.#term(attribute, 'ge', from.toISOString())] : []),
      ...(before ? [this.#term(attribute, 'lt', before.toISOString())] : []),
    ];
  }

  #texts(attribute: string, filter: TextFilter): string[] {
    const parts: string[] = [];
    const add = (operator: string, value: string | null | undefined): void => {
      if (value !== null && value !== undefined) parts.push(this.#term(attribute, operator, value));
    };
    add('eq', filter.equals);
    add('co', filter.contains);
    add('sw', filter.startsWith);
    add('ew', filter.endsWith);
    if (typeof filter.notEquals === 'string')
      parts.push(`not (${this.#term(attribute, 'eq', filter.notEquals)})`);
    if (filter.in) {
      if (filter.in.length === 0) throw badUserInput('"in" needs at least one value.', { argument: 'where' });
      parts.push(
        joined(
          filter.in.map((value) => this.#term(attribute, 'eq', value)),
          'or',
        ),
      );
    }
    if (typeof filter.isPresent === 'boolean') {
      this.#count();
      parts.push(filter.isPresent ? `${attribute} pr` : `not (${attribute} pr)`);
    }
    return parts;
  }

  #term(attribute: string, operator: string, value: unknown): string {
    this.#count();
    return `${attribute} ${operator} ${JSON.stringify(value)}`;
  }

  #count(): void {
    this.#terms += 1;
    if (this.#terms > maxTerms) throw tooComplex();
  }
}

const joined = (parts: readonly string[], by: 'and' | 'or'): string =>
  parts.length === 1 ? (parts[0] as string) : parts.map((part) => `(${part})`).join(` ${by} `);

const tooComplex = () =>
  badUserInput(`A filter has at most ${maxTerms} comparisons and ${deepest} levels.`, { argument: 'where' });
