/**
 * Runs plans of the OpenID Foundation conformance suite against the demo tenant of a running system and prints the
 * result of each module. Prerequisites: docs/reference/openid-conformance.md.
 *   node e2e/certification/main.ts [plan ...] (default: all plans)
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { plans } from './plans.ts';
import { causeEvents, makeUser, rotateKeys, suiteOrigin } from './tenant.ts';

interface Entry {
  src?: string;
  msg?: string;
  result?: string;
}

interface Module {
  testModule: string;
  variant: Record<string, string>;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const stuckAfterMs = 100_000;

async function suite<T>(method: string, path: string, query: Record<string, string> = {}, body?: unknown) {
  const answer = await fetch(`${suiteOrigin}/api/${path}?${new URLSearchParams(query)}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

const log = (id: string): Promise<Entry[]> => suite<Entry[]>('GET', `log/${id}`);

/** Runs one module to its end, including the steps that the operator of the server has to take. */
async function run(plan: string, { testModule, variant }: Module, subject: string): Promise<string> {
  const { id } = await suite<{ id: string }>('POST', 'runner', {
    test: testModule,
    plan,
    variant: JSON.stringify(variant),
  });
  let started = false;
  let caused = false;
  let waitingSince = Date.now();
  for (;;) {
    await sleep(400);
    const { status, result = 'UNKNOWN' } = await suite<{ status: string; result?: string }>(
      'GET',
      `info/${id}`,
    );
    if (status === 'FINISHED' || status === 'INTERRUPTED') return report(id, testModule, result);
    if (status !== 'WAITING') waitingSince = Date.now();
    if (status === 'CONFIGURED' && !started) {
      // The module waits for its operator, who rotates the keys in the meantime.
      await sleep(1_500);
      started = true;
      if (testModule.includes('rotate-keys')) await rotateKeys();
      await suite('POST', `runner/${id}`).catch(() => undefined);
    }
    if (testModule.endsWith('caep-interop') && !caused) {
      const entries = await log(id);
      if (entries.some(({ msg }) => msg?.includes('Please trigger these events'))) {
        caused = true;
        await causeEvents(subject);
      }
    }
    if (Date.now() - waitingSince > stuckAfterMs) {
      await suite('DELETE', `runner/${id}`);
      return report(id, testModule, 'STUCK');
    }
  }
}

async function report(id: string, testModule: string, result: string): Promise<string> {
  print(`${result.padEnd(8)} ${testModule}`);
  for (const entry of await log(id)) {
    if (entry.result === 'FAILURE' || entry.result === 'WARNING') {
      print(`         ${entry.result} ${entry.src}: ${entry.msg}`);
    }
  }
  return result;
}

const asked = process.argv.slice(2);
const subject = await makeUser();
const summary: string[] = [];
for (const name of asked.length === 0 ? Object.keys(plans) : asked) {
  const plan = plans[name];
  if (plan === undefined) throw new Error(`There is no plan ${name}, but ${Object.keys(plans).join(', ')}.`);
  const { planName, variant, configure } = plan;
  const made = await suite<{ id: string; modules: Module[] }>(
    'POST',
    'plan',
    { planName, ...(Object.keys(variant).length === 0 ? {} : { variant: JSON.stringify(variant) }) },
    { description: name, ...(await configure()) },
  );
  print(`\n${name} (${planName}), ${made.modules.length} modules`);
  const results: Record<string, number> = {};
  for (const module of made.modules) {
    const result = await run(made.id, module, subject);
    results[result] = (results[result] ?? 0) + 1;
  }
  summary.push(`${name}: ${made.modules.length} modules, ${JSON.stringify(results)}`);
}
print(`\n${summary.join('\n')}`);
