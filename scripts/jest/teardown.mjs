/** Jest's global teardown: stops what setup.mjs started, and says what is wrong with what the tests left. */
export default async function teardown() {
  const flaws = await globalThis.testProvider?.stop();
  globalThis.testProvider = undefined;
  if (flaws?.length > 0) throw new Error(flaws.join('\n'));
}
