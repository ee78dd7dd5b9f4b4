/**
 * Records the current contracts in e2e/contracts/recorded/forms.json: `node e2e/contracts/record.ts`. Fails when a
 * contract has lost a guarantee of the previous release without a new version: see CONTRIBUTING.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Form, formOf, internalRoutes, lostFrom } from './declarations.ts';
import { contracts } from './inventory.ts';

export interface Recorded {
  forms: Record<string, Form>;
  routes: string[];
}

const file = join(import.meta.dirname, 'recorded', 'forms.json');
const forms = Object.fromEntries(contracts.map((contract) => [contract.name, formOf(contract)]));
const routes = internalRoutes();
let before: Recorded = { forms: {}, routes: [] };
try {
  before = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
} catch (error) {
  if ((error as { code?: string }).code !== 'ENOENT') throw error;
}
const lost = [
  ...Object.entries(before.forms).flatMap(([name, form]) => {
    const now = forms[name];
    if (now === undefined) return [`the contract ${name} is gone`];
    return now.version === form.version ? lostFrom(form, now).map((one) => `${name}: ${one}`) : [];
  }),
  ...before.routes.filter((route) => !routes.includes(route)).map((route) => `the route ${route} is gone`),
];
if (lost.length > 0 && !process.argv.includes('--lose')) {
  for (const one of lost) process.stderr.write(`${one}\n`);
  process.stderr.write(
    'Releases side by side would not understand each other. Add beside what there is, or raise the version once the release before reads both.\n',
  );
  process.exit(1);
}
writeFileSync(file, `${JSON.stringify({ forms, routes } satisfies Recorded, undefined, 2)}\n`);
