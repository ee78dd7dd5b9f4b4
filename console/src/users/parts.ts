export { GroupPicker, PersonPicker } from './access/pickers.tsx';
export { ActorName } from './timeline/actor-name.tsx';
