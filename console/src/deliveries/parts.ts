export { ReceiverState } from './receiver-state.tsx';
