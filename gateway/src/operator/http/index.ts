export { OperatorPort } from './operator-port.ts';
