import type { Tone } from '../ui/index.ts';
import type { DeliveryState } from './generated/deliveries.ts';

export const stateTone = (state: DeliveryState): Tone | undefined =>
  state === 'DEAD' ? 'bad' : state === 'DELIVERED' ? 'good' : state === 'HELD' ? 'warn' : undefined;
