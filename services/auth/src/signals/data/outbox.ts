import type { DeliveryOutbox } from '../domain/delivery-queue.ts';
import { appendDeliveries, wakeWorkers } from './facts.ts';

export const deliveryOutbox: DeliveryOutbox = { append: appendDeliveries, wake: wakeWorkers };
