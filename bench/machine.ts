import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { treeSeconds } from './measure.ts';

/** The most of the machine, as a part of all its cores, that others may take while something is measured: more, and figures are theirs. */
export const mostTaken = 0.1;

/** Clock ticks a second in /proc; 100 on every Linux that Node.js runs on. */
const ticks = 100;

/** CPU seconds that all cores have spent on anything, stolen ones included (proc(5), /proc/stat). Linux only. */
function busySeconds(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).slice(1).map(Number) ?? [];
  return (user + nice + system + irq + softirq + steal) / ticks;
}

/**
 * Watches who else computes on this machine.
 * @returns the function that ends it and returns which part of all cores, 0 to 1, went to processes that aren't of this one
 */
export function watchOthers(): () => number {
  const before = { busy: busySeconds(), own: treeSeconds(process.pid), at: performance.now() };
  return () => {
    const seconds = (performance.now() - before.at) / 1000;
    const own = treeSeconds(process.pid) - before.own;
    return Math.max(0, (busySeconds() - before.busy - own) / (seconds * cpus().length));
  };
}

/** The part that others take right now, measured over two seconds. */
export async function takenByOthers(): Promise<number> {
  const end = watchOthers();
  await sleep(2_000);
  return end();
}

export const percent = (part: number): string => `${Math.round(part * 100)} %`;
