import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { treeSeconds } from './measure.ts';

/** Maximum share of all cores that other processes may use during a measurement. */
export const maxTaken = 0.1;

/** Clock ticks per second in /proc; 100 on every Linux that Node.js supports. */
const ticks = 100;

/** Returns the busy CPU seconds of all cores, including stolen ones (proc(5), /proc/stat). Linux only. */
function busySeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).slice(1).map(Number) ?? [];
  return (user + nice + system + irq + softirq + steal) / ticks;
}

/**
 * Measures the CPU usage of other processes.
 * @returns the function that ends the measurement and returns their share of all cores, 0 to 1
 */
export function watchOthers(): () => number {
  const before = { busy: busySeconds(), own: treeSeconds(process.pid), at: performance.now() };
  return () => {
    const seconds = (performance.now() - before.at) / 1000;
    const own = treeSeconds(process.pid) - before.own;
    return Math.max(0, (busySeconds() - before.busy - own) / (seconds * cpus().length));
  };
}

/** Measures the share of other processes during two seconds. */
export async function takenByOthers(): Promise<number> {
  const end = watchOthers();
  await sleep(2_000);
  return end();
}

export const percent = (part: number): string => `${Math.round(part * 100)} %`;
