export { type SignInAttemptLoaders, signInAttemptLoaders } from './loaders.ts';
export { signInAttemptResolvers } from './sign-in-attempts.ts';
