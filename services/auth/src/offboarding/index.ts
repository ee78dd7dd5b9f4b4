export {
  closeDoors,
  type DeparturePorts,
  type DoorStore,
  endSignIns,
  isPlain,
  roleRemoved,
  type SignInEnds,
  takeNews,
  takePlainNews,
} from './domain/departure.ts';
