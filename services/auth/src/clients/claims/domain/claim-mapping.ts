import { compile, type Expression, type MappingHolder, maxCost } from './expression.ts';
import { RejectedExpression } from './rejected-expression.ts';
import { isReservedClaim } from './reserved-claims.ts';

/** A claim that an administrator adds to the tokens of an API or of a client. */
export interface ClaimMapping {
  /** Name of the claim. */
  readonly name: string;
  /** Expression of its value in CEL. */
  readonly expression: string;
  /** True: no token is issued without a value. */
  readonly required: boolean;
}

/** Mappings that cannot be stored, with the reason. */
export class InvalidClaimMappings extends Error {}

const maxMappings = 32;
const maxNameLength = 128;
const maxExpressionLength = 1_000;

/**
 * Checks the mappings of an API or a client.
 * @throws InvalidClaimMappings
 */
export function checkClaimMappings(given: unknown, holder: MappingHolder): ClaimMapping[] {
  if (!Array.isArray(given)) throw new InvalidClaimMappings('claims must be a list.');
  if (given.length > maxMappings) {
    throw new InvalidClaimMappings(`claims must have at most ${maxMappings} entries.`);
  }
  const mappings = given.map(checkShape);
  if (new Set(mappings.map(({ name }) => name)).size < mappings.length) {
    throw new InvalidClaimMappings('claims must not contain a name twice.');
  }
  const costs = mappings.map((mapping) => checkExpression(mapping, holder).analysis.cost);
  if (costs.reduce((sum, cost) => sum + cost, 0) > maxCost.all) {
    throw new InvalidClaimMappings(
      'claims must have fewer expressions over lists: their total cost is too high.',
    );
  }
  return mappings;
}

function checkShape(given: unknown): ClaimMapping {
  const { name, expression, required } = (given ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || name.length > maxNameLength || !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)) {
    throw new InvalidClaimMappings(
      `claims must have names of 1 to ${maxNameLength} printable ASCII characters without space, quote and backslash.`,
    );
  }
  if (isReservedClaim(name)) {
    throw new InvalidClaimMappings(
      `claims must not set ${name}, which a standard or this server defines. Choose another name, for example https://example.com/${encodeURIComponent(name)}.`,
    );
  }
  const isText = typeof expression === 'string' && expression.trim() !== '' && expression.isWellFormed();
  if (!isText || expression.length > maxExpressionLength || expression.includes('\u0000')) {
    throw new InvalidClaimMappings(
      `claims must have expressions of 1 to ${maxExpressionLength} characters: ${name} has none.`,
    );
  }
  if (required !== undefined && required !== null && typeof required !== 'boolean') {
    throw new InvalidClaimMappings('claims must have true or false as required.');
  }
  return { name, expression, required: required === true };
}

function checkExpression({ name, expression }: ClaimMapping, holder: MappingHolder): Expression {
  try {
    return compile(expression, holder);
  } catch (error) {
    if (error instanceof RejectedExpression) {
      throw new InvalidClaimMappings(`claims has an invalid expression of ${name}: ${error.message}`);
    }
    throw error;
  }
}

/** Returns the scopes that a caller needs to read the attributes in these mappings. */
export function scopesToMap(mappings: readonly ClaimMapping[], holder: MappingHolder): string[] {
  // More are rejected when they are checked.
  const read = mappings.slice(0, maxMappings).map(({ expression }) => analysisOf(expression, holder));
  return [
    ...(read.some((one) => !one || one.user.size + one.extensions.size > 0) ? ['users:read'] : []),
    ...(read.some((one) => !one || one.groups) ? ['groups:read'] : []),
  ];
}

/** Returns undefined for an expression that is invalid: it may read anything. */
function analysisOf(expression: string, holder: MappingHolder): Expression['analysis'] | undefined {
  try {
    return compile(expression.slice(0, maxExpressionLength), holder).analysis;
  } catch (error) {
    if (error instanceof RejectedExpression) return undefined;
    throw error;
  }
}

/** Reports whether tokens issued by the former mappings contain claims that the latter do not give. */
export const changesIssuedClaims = (
  before: readonly ClaimMapping[],
  after: readonly ClaimMapping[],
): boolean =>
  before.some(
    ({ name, expression }) => !after.some((one) => one.name === name && one.expression === expression),
  );
