import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { unique } from '../support/demo.ts';
import { inside, newTenant } from './api-files.ts';
import { ostiary } from './command-line.ts';

let tenant = '';
beforeAll(async () => {
  tenant = await newTenant();
});

describe('texts of ostiary api', () => {
  test('A suggested command passes the identifier of an API to the shell unchanged.', async () => {
    const identifier = `https://${unique('shell')}.example/$(id)\`id\`;id&'id'`;
    const created = await inside(
      tenant,
      'api',
      'create',
      identifier,
      '--name',
      'Shell',
      '--role',
      'approver',
    );
    expect(created).toMatchObject({ code: 0, json: { identifier } });
    const { code, stderr } = await inside(tenant, 'api', 'roles', 'holders', identifier, 'none');
    const [, suggested = ''] = /^ +ostiary (.*)$/m.exec(stderr) ?? [];
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${suggested}`], { encoding: 'utf8' });
    expect([code, words]).toEqual([4, ['api', 'roles', 'list', identifier, ''].join('\n')]);
  });

  test('A description that begins with a bracket is stored after a language tag, as the help says.', async () => {
    const name = unique('beta');
    const { json: created } = await inside(
      tenant,
      ...['api', 'create', `https://${name}.example`, '--name', name],
      ...['--scope', `${name}:read [en] [Beta] See orders`, '--role', 'approver [en] [Beta] Approves'],
    );
    const beta = (text: string) => [{ descriptions: [{ language: 'en', text: `[Beta] ${text}` }] }];
    expect((await inside(tenant, 'api', 'show', created.id)).json).toMatchObject({
      scopes: beta('See orders'),
      roles: beta('Approves'),
    });
    for (const command of [['create'], ['update'], ['roles', 'create']])
      expect((await ostiary(['api', ...command, '--help'], {})).stdout).toMatch(/"\[en\]\s+\[Beta\]/);
  });
});
