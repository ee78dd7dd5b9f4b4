import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { ScimClient } from '../support/scim.ts';
import { asDemo, newHome, ostiary, program } from './command-line.ts';

const demo = runningDemo();
const cli = fileURLToPath(new URL('../../cli', import.meta.url));

describe('The program', () => {
  test('The program is one file without packages.', () => {
    execFileSync(process.execPath, [program, '--version']);
    expect(readFileSync(program.replace(/js$/, 'cjs'), 'utf8')).not.toContain('require("commander")');
  });

  test('The operations of the program fit the released graph, and its reference page is current.', () => {
    for (const script of ['generate.ts', 'reference.ts']) {
      execFileSync(process.execPath, [join(cli, script), '--check'], { stdio: 'pipe' });
    }
  });

  test('On a terminal the command asks before it deactivates a user, and makes no change after "no".', async () => {
    const scim = new ScimClient(demo.tenants.demo, demo.tenants.demo.clients.scim.token);
    const userName = unique('asked');
    await scim.createUser({ userName, active: true });
    const child = spawn(
      'script',
      ['-qec', `"${process.execPath}" "${program}" user offboard ${userName}`, '/dev/null'],
      {
        env: {
          PATH: process.env.PATH,
          HOME: newHome(),
          TERM: 'xterm',
          OSTIARY_HOME: dirname(process.env.OSTIARY_E2E ?? ''),
        },
      },
    );
    let said = '';
    let answered = false;
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (answered || !said.includes('[y/N]')) return;
      answered = true;
      child.stdin.write('n\n');
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(said).toContain(`Deactivate ${userName}`);
    expect([code, said.includes('Nothing was changed')]).toEqual([1, true]);
    const { json } = await ostiary(['user', 'find', userName, '--json'], asDemo());
    expect(json[0].active).toBe(true);
  });
});
