import type { ClaimMapping } from './claim-mapping.ts';
import { type Expression, isAbsence, maxCost, summaryOf } from './expression.ts';

/** Reason why a mapping gave no claim. */
export type ClaimFailure = 'no_value' | 'failed' | 'too_large' | 'unsupported_value' | 'too_many_groups';

export interface ClaimProblem {
  name: string;
  required: boolean;
  failure: ClaimFailure;
  /** Message for administrators who may read the user. It can contain values, so it is not logged. */
  detail?: string;
}

export interface MappedClaims {
  claims: Record<string, unknown>;
  problems: ClaimProblem[];
}

/** Maximum number of bytes of a claim and of all claims as JSON: a token must fit in a header. */
const maxLength = { claim: 4_096, all: 8_192 };
const maxDepth = 8;
/** The message of the library can contain a whole value. */
const maxDetailLength = 500;

class Unusable extends Error {
  readonly failure: ClaimFailure;

  constructor(failure: ClaimFailure) {
    super(failure);
    this.failure = failure;
  }
}

/** Evaluates mappings. A mapping without a usable value gives a problem instead of a claim. */
export function evaluateMappings(
  mappings: readonly ClaimMapping[],
  expressionOf: (mapping: ClaimMapping) => Expression,
  { tooManyGroups, variables }: { tooManyGroups: boolean; variables: Readonly<Record<string, unknown>> },
): MappedClaims {
  const mapped: MappedClaims = { claims: {}, problems: [] };
  let left = maxLength.all;
  let cost = 0;
  for (const mapping of mappings) {
    const { name, required } = mapping;
    try {
      const expression = expressionOf(mapping);
      cost += expression.analysis.cost;
      // The check of an earlier release may have permitted more.
      if (cost > maxCost.all) throw new Unusable('failed');
      if (tooManyGroups && expression.analysis.groups) throw new Unusable('too_many_groups');
      // The quotation marks, colon and comma of a member.
      const member = name.length + 4;
      const json = new JsonValue(Math.min(maxLength.claim, left - member));
      mapped.claims[name] = json.of(expression.evaluate(variables));
      left = left - member - json.used;
    } catch (error) {
      mapped.problems.push({ name, required, ...problemOf(error) });
    }
  }
  return mapped;
}

function problemOf(error: unknown): Pick<ClaimProblem, 'failure' | 'detail'> {
  if (error instanceof Unusable) return { failure: error.failure };
  return { failure: isAbsence(error) ? 'no_value' : 'failed', detail: shortened(summaryOf(error)) };
}

const shortened = (text: string): string => text.slice(0, maxDetailLength).toWellFormed();

/** Converts a value of CEL to JSON and counts its bytes, so that no large text is made to measure it. */
class JsonValue {
  readonly #most: number;
  used = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** @throws Unusable; `no_value` for null, which omits the claim */
  of(value: unknown): unknown {
    if (value === null || value === undefined) throw new Unusable('no_value');
    return this.#convert(value, 0);
  }

  #convert(value: unknown, depth: number): unknown {
    if (depth > maxDepth) throw new Unusable('unsupported_value');
    if (value === null || typeof value === 'boolean') return this.#count(value, 6);
    if (typeof value === 'bigint') return this.#number(Number(value), Number.isSafeInteger(Number(value)));
    if (typeof value === 'number') return this.#number(value, Number.isFinite(value));
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) {
      this.#count(value, 2);
      return value.map((each) => this.#convert(each, depth + 1));
    }
    return this.#object(value, depth);
  }

  #object(value: unknown, depth: number): unknown {
    const isPlain = typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype;
    if (!isPlain) throw new Unusable('unsupported_value');
    this.#count(value, 2);
    return Object.fromEntries(
      Object.entries(value as object).map(([name, member]) => [
        this.#text(name),
        this.#convert(member, depth + 1),
      ]),
    );
  }

  #number(value: number, supported: boolean): number {
    if (!supported) throw new Unusable('unsupported_value');
    return this.#count(value, String(value).length + 1);
  }

  #text(value: string): string {
    if (this.used + value.length > this.#most) throw new Unusable('too_large');
    if (!value.isWellFormed()) throw new Unusable('unsupported_value');
    return this.#count(value, Buffer.byteLength(JSON.stringify(value)) + 1);
  }

  #count<T>(value: T, length: number): T {
    this.used += length;
    if (this.used > this.#most) throw new Unusable('too_large');
    return value;
  }
}
