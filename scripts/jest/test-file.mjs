/** Globals of the current test file of a worker. */
const at = Symbol.for('ostiary.test-file');

export const enter = (globals) => {
  globalThis[at] = { ...globalThis[at], ...globals };
};

export const leave = () => {
  delete globalThis[at];
};

export const current = () => globalThis[at] ?? {};
