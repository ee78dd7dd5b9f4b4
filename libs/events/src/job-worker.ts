import { maxBlockMs } from '@ostiary/service';
import { Worker } from 'bullmq';

/**
 * Limits blocking to the maximum silence of a connection: BullMQ's own waits up to ten seconds for a delayed
 * job.
 */
export class JobWorker<Data> extends Worker<Data> {
  override get maximumBlockTimeout(): number {
    return maxBlockMs / 1_000;
  }
}
