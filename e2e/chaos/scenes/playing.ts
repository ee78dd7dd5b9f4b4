import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measures } from '../plan.ts';
import type { Scenes, SetScene } from './scenes.ts';

export interface PlayingOptions {
  scenes: Scenes;
  measures: Measures['scenes'];
  /** Aborted when no faults and departures are left: only scenes are missing, and two are set at a time. */
  rest: AbortSignal;
  /** Aborted when no scenes are left. */
  over: AbortSignal;
  /** Maximum milliseconds without a scene. */
  patienceMs: number;
}

/** Schedules the scenes. */
export class Playing {
  readonly #o: PlayingOptions;
  readonly #first: SetScene[] = [];

  constructor(options: PlayingOptions) {
    this.#o = options;
  }

  /** Sets the scenes that must be ready before the first fault. */
  async setFirst(): Promise<void> {
    const { scenes, measures, patienceMs } = this.#o;
    const inTime = AbortSignal.timeout(patienceMs);
    while (this.#first.length < measures.first) {
      if (inTime.aborted) throw new Error(`no scene: ${scenes.trouble}`);
      this.#first.push(...(await scenes.set(inTime)));
    }
  }

  /**
   * Plays one scene after the other; from `moreFrom` on sets each next one while the previous ones are watched.
   * @param moreFrom milliseconds of performance.now()
   */
  async play(moreFrom: number): Promise<void> {
    for (const set of this.#first) {
      void this.#o.scenes.play(set);
      await this.#wait(this.#o.measures.everyMs);
    }
    await this.#wait(moreFrom - performance.now());
    const beside = once(this.#o.rest, 'abort').then(() => this.#goOn());
    await Promise.all([this.#goOn(), beside]);
  }

  async #goOn(): Promise<void> {
    const { scenes, measures, over } = this.#o;
    while (!over.aborted) {
      const due = this.#wait(measures.everyMs);
      for (const set of await scenes.set(over)) {
        void scenes.play(set);
        await due;
      }
    }
  }

  #wait(ms: number): Promise<void> {
    return sleep(Math.max(0, ms), undefined, { signal: this.#o.over }).catch(() => undefined);
  }

  /** Resolves when the minimum number of scenes has been played. */
  async enough(): Promise<void> {
    const { scenes, measures, patienceMs } = this.#o;
    for (let last = performance.now(), count = 0; !scenes.hasPlayed(measures.least); ) {
      await sleep(50);
      if (performance.now() - last > patienceMs) throw new Error(`no scene: ${scenes.trouble}`);
      if (scenes.played.length > count) last = performance.now();
      count = scenes.played.length;
    }
  }
}
