/** Jest's filter (`--filter`): the files that are listed in the file that OSTIARY_TEST_FILES names. Jest loads it as CommonJS. */
const { readFileSync } = require('node:fs');

module.exports = async (paths) => {
  const chosen = new Set(JSON.parse(readFileSync(process.env.OSTIARY_TEST_FILES, 'utf8')));
  return { filtered: paths.filter((path) => chosen.has(path)) };
};
