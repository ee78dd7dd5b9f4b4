export { GroupPicker, UserPicker } from './access/pickers.tsx';
export { ActorName } from './timeline/actor-name.tsx';
