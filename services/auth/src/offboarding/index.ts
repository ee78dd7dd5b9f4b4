export {
  closeDoors,
  type DeparturePorts,
  endSignIns,
  isPlain,
  roleRemoved,
  takeNews,
  takePlainNews,
} from './domain/departure.ts';
