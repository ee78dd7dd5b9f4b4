export {
  closeDoors,
  type DeparturePorts,
  endSignIns,
  isPlain,
  roleRemoved,
  type SignInEnds,
  takeNews,
  takePlainNews,
} from './domain/departure.ts';
