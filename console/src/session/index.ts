export { authorizationAddress, complete } from './authorization.ts';
export { base, type Configuration, readConfiguration } from './configuration.ts';
export { SessionProvider, useMay, useSession } from './context.tsx';
export { Session, SignInNeeded } from './session.ts';
export { elsewhere, reportBack, stepUp } from './step-up.ts';
