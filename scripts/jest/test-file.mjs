/** The globals of the test file that a worker is at (one at a time). */
const at = Symbol.for('ostiary.test-file');

export const enter = (globals) => {
  globalThis[at] = { ...globalThis[at], ...globals };
};

export const leave = () => {
  delete globalThis[at];
};

export const current = () => globalThis[at] ?? {};
