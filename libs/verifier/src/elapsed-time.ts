/** Minimum jump of the wall clock in milliseconds that counts. Smaller ones are corrections of the clock. */
const minJumpMs = 1_000;

/**
 * Clock of the age of data, in milliseconds. The monotonic clock of Node stops while the machine is suspended, so a jump
 * of the wall clock forward counts, too: the data can be older than it is, but not newer. A wall clock that is set back
 * has no effect.
 */
export class ElapsedTime {
  readonly #monotonic: () => number;
  readonly #wall: () => number;
  #difference: number;
  #jumpsMs = 0;

  constructor(monotonic: () => number = () => performance.now(), wall: () => number = Date.now) {
    this.#monotonic = monotonic;
    this.#wall = wall;
    this.#difference = wall() - monotonic();
  }

  now(): number {
    const monotonic = this.#monotonic();
    const difference = this.#wall() - monotonic;
    const jump = difference - this.#difference;
    if (jump >= minJumpMs) this.#jumpsMs += jump;
    this.#difference = difference;
    return monotonic + this.#jumpsMs;
  }
}
