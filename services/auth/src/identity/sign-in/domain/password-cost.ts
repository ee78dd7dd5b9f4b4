/** Parameters of a hash (RFC 9106 §3.1): memory in KiB, passes, lanes. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** Returns the parameters in the form of a PHC string: `m=19456,t=2,p=1`. */
export const costText = ({ memory, passes, parallelism }: PasswordCost): string =>
  `m=${memory},t=${passes},p=${parallelism}`;

export const isSameCost = (one: PasswordCost, other: PasswordCost): boolean =>
  costText(one) === costText(other);

/**
 * OWASP Password Storage Cheat Sheet, argon2id: equal strength, with less memory for more passes. Weaker parameters
 * are rejected: the minimum is the memory of the row with as many passes or fewer.
 */
export const costPresets: readonly PasswordCost[] = [
  { memory: 47_104, passes: 1, parallelism: 1 },
  { memory: 19_456, passes: 2, parallelism: 1 },
  { memory: 12_288, passes: 3, parallelism: 1 },
  { memory: 9_216, passes: 4, parallelism: 1 },
  { memory: 7_168, passes: 5, parallelism: 1 },
];

/** 19 MiB, two passes, one lane: about 10–25 ms on one core. */
export const defaultCost = 'm=19456,t=2,p=1';

/** Maximum cost of one hash, to limit the load of one sign-in: 1 GiB, 64 passes, 16 lanes. */
const maxMemory = 1_048_576;
const maxPasses = 64;
const maxLanes = 16;

/** @throws Error that describes the invalid text */
export function passwordCost(text: string): PasswordCost {
  const [, memory, passes, parallelism] = (
    /^m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,9})$/.exec(text) ?? []
  ).map(Number);
  if (memory === undefined || passes === undefined || parallelism === undefined) {
    throw new Error(`must be argon2id parameters such as ${defaultCost}: KiB of memory, passes, lanes`);
  }
  if (memory > maxMemory || passes > maxPasses || parallelism > maxLanes) {
    throw new Error(`must not take more than m=${maxMemory},t=${maxPasses},p=${maxLanes}`);
  }
  const least = costPresets.findLast((preset) => preset.passes <= passes);
  if (least && memory < least.memory) {
    throw new Error(
      `is weaker than OWASP allows: with ${passes} ${passes === 1 ? 'pass' : 'passes'} at least m=${least.memory} (${costPresets.map(costText).join('; ')})`,
    );
  }
  return { memory, passes, parallelism };
}
