export {
  closeDoors,
  type DeparturePorts,
  type SignInEnds,
  endSignIns,
  isPlain,
  roleRemoved,
  takeNews,
  takePlainNews,
} from './domain/departure.ts';
