export { followOwnershipEnds } from './ownership-ends.ts';
export { startVouchingWithdrawals } from './vouching.ts';
