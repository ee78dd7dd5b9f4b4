import type { DataLoader, LoaderScope } from '@ostiary/graph';
import { byId } from '../../../platform/subgraph/graph/references.ts';
import type { SignInAttempt, SignInAttemptReader } from '../domain/sign-in-attempts.ts';

export interface SignInAttemptLoaders {
  signInAttempts: DataLoader<string, SignInAttempt | null>;
}

export const signInAttemptLoaders =
  ({ signInAttempts }: { signInAttempts: SignInAttemptReader }) =>
  ({ tenant }: LoaderScope): SignInAttemptLoaders => ({
    signInAttempts: byId((ids) => signInAttempts.byIds(tenant, ids)),
  });
