export {
  applyNews,
  closeDoors,
  type DeparturePorts,
  type DoorStore,
  endSignIns,
  isPlain,
  roleRemoved,
  type SignInEnds,
  takePlainNews,
} from './domain/departure.ts';
