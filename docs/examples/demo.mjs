// Prints entries of the demo file of a running `npm start`, joined by colons: of the tenant demo, or of the whole file.
//   node docs/examples/demo.mjs clients.admin.client_id clients.admin.client_secret
//   node docs/examples/demo.mjs tenants.rival.scim
import { readFileSync } from 'node:fs';

const home = process.env.OSTIARY_HOME || '.ostiary';
const entryOf = (object, path) => path.split('.').reduce((value, name) => value?.[name], object);

try {
  const demo = JSON.parse(readFileSync(`${home}/demo.json`, 'utf8'));
  await fetch(`${demo.origin}/livez`);
  const entries = process.argv.slice(2).map((path) => {
    const entry = entryOf(demo.tenants.demo, path) ?? entryOf(demo, path);
    if (entry === undefined) fail(`${home}/demo.json has no entry ${path}.`);
    return entry;
  });
  console.log(entries.join(':'));
} catch {
  fail(`No Ostiary is running from ${home}: run npm start, or set OSTIARY_HOME to the folder that it uses.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
