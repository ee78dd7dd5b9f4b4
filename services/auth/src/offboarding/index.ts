export { decideOffboarding, type OffboardingDecision } from './domain/decision.ts';
export {
  type AppliedNews,
  applyNews,
  closeDoors,
  type DepartureLog,
  type DeparturePorts,
  type DoorStore,
  endSignIns,
  isPlain,
  roleRemoved,
  type SignInEnds,
  takePlainNews,
} from './domain/departure.ts';
