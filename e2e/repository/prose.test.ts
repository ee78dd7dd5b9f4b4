import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { figuresOf, findingsIn } from '../../scripts/prose/figures.ts';
import { headless, markersIn, proseOf, rules } from '../../scripts/prose/rules.ts';
import { readProse, type Surface, surfaces, type Text } from '../../scripts/prose/texts.ts';

const root = resolve(import.meta.dirname, '../..');
const found = (text: string) => markersIn(proseOf(text)).map((marker) => marker.found.toLowerCase());

test.each([
  ['free relative', 'The store returns what was written.', 'what'],
  ['indefinite person', 'Nobody reads the row.', 'nobody'],
  ['indefinite person', 'The user for whom it acts.', 'for whom'],
  ['person', 'The people of a tenant.', 'people'],
  ['software as a person', 'The receiver is told about it.', 'is told'],
  ['phrase', 'An administrator takes back the role.', 'takes back'],
  ['adverb', 'The query runs anew.', 'anew'],
  ['figure of speech', 'Every door of the user is closed.', 'door'],
])('The rule "%s" finds its word in "%s".', (rule, text, word) => {
  expect(markersIn(text)).toContainEqual(expect.objectContaining({ rule }));
  expect(found(text)).toContain(word);
});

test('Every rule has an example that it finds, and names the words that replace it.', () => {
  expect(new Set(rules.map(({ name }) => name)).size).toBe(7);
  for (const { instead } of rules) expect(instead).toMatch(/\w/);
});

test('Plain sentences, questions, code and addresses have no findings.', () => {
  for (const text of [
    'Deletes a webhook. Pending deliveries are discarded.',
    'Maximum number of sessions, default 100.',
    'What is this page for?',
    'The field `doors` and the option `--people` keep their names.',
    'See https://example.com/what/people/say for the rule.',
  ])
    expect(found(text)).toEqual([]);
});

test('A description that begins with a clause is headless, and one that begins with a verb or a noun is not.', () => {
  for (const text of ['What it is.', 'Who owns it.', 'How often it is read.', 'Whose token it is.'])
    expect(text).toMatch(headless);
  for (const text of ['Returns the owner.', 'Owner of the client.', 'Reports whether it is read.'])
    expect(text).not.toMatch(headless);
});

test('Figures count markers by words and headless beginnings by descriptions.', () => {
  const text = (value: string): Text => ({
    surface: 'Docs',
    file: 'a.md',
    line: 1,
    text: value,
    description: true,
  });
  const texts = [text('What nobody reads in here'), text('Returns the five words')];
  expect(figuresOf(texts, findingsIn(texts, [])).Docs).toMatchObject({
    texts: 2,
    words: 9,
    markers: 2,
    headless: 1,
    headlessShare: 0.5,
  });
  expect(findingsIn(texts, [{ text: 'nobody', reason: 'example' }])).toHaveLength(2);
});

describe('the surfaces', () => {
  let texts: Text[];
  beforeAll(() => {
    texts = readProse(root);
  });
  const of = (surface: Surface, file: string) =>
    texts.filter((text) => text.surface === surface && text.file === file).map(({ text }) => text);

  test('Texts are read on every surface.', () => {
    for (const surface of surfaces.filter((one) => one !== 'Commit subjects'))
      expect(texts.filter((text) => text.surface === surface).length).toBeGreaterThan(90);
  });

  test.each<[Surface, string, string]>([
    ['Messages', 'scripts/start.ts', 'Press Ctrl-C to stop.'],
    ['Messages', 'scripts/bootstrap.mjs', 'Installing dependencies (npm ci)'],
    ['Messages', 'scripts/release.ts', 'is not a semantic version'],
    ['Messages', 'scripts/kubernetes.ts', 'run node scripts/kubernetes.ts'],
    ['Messages', 'scripts/make-secrets.mjs', 'must be specified together'],
    ['Messages', 'scripts/migrate.mjs', 'unknown service'],
    ['Messages', 'scripts/redis-users.ts', 'one user per process'],
    ['Messages', 'scripts/reapply-departures.ts', 'users verified'],
    ['Messages', 'scripts/invariants/between.ts', 'Users in auth equal those of the directory'],
    ['Messages', 'scripts/new-migration.mjs', 'in the folder of a service'],
    ['Messages', 'libs/embedded/src/system.ts', 'Removing the data of earlier starts'],
    ['Comments', 'scripts/migrate.mjs', 'Migrates the schemas of the services'],
    ['Labels', 'console/src/words/en/overview.ts', 'Overview'],
    ['Labels', 'services/auth/src/platform/pages/http/words/english.ts', 'User name'],
    ['Deployment files', 'Dockerfile', 'Migrates the three schemas'],
    ['Deployment files', 'docker-compose.yml', 'must not lose jobs to eviction'],
    ['Deployment files', 'chart/values.yaml', 'Public origin for all clients'],
    ['Deployment files', 'chart/values.schema.json', 'Number of pods without autoscaling'],
    ['Deployment files', 'chart/templates/NOTES.txt', 'The first tenant'],
    ['Deployment files', 'chart/templates/_pods.tpl', 'The image of a component'],
    ['Deployment files', 'chart/templates/scaling.yaml', 'must not block the drain of a node'],
    ['Monitoring', 'docs/monitoring/dashboard.json', 'Offboarded users per minute, by trigger'],
    ['Monitoring', 'docs/monitoring/alerts.yaml', 'is ready for requests'],
  ])('%s contain the texts of %s.', (surface, file, text) => {
    expect(of(surface, file)).toContainEqual(expect.stringContaining(text));
  });

  test('Keys, imports and placeholders of page texts are not labels.', () => {
    const labels = of('Labels', 'console/src/words/en/doors.ts').flatMap(found);
    expect(labels).toEqual([]);
    expect(of('Labels', 'console/src/words/en/rest.ts')).toEqual([]);
    expect(found('None found: {doors}.')).toEqual([]);
  });
});

// `npm run lint:prose` compares the limits with the figures in the static checks of every run.
test('Every surface has the limits of the target; those of commit subjects may only fall.', () => {
  const limits = JSON.parse(readFileSync(join(root, 'scripts/prose/limits.json'), 'utf8'));
  expect(Object.keys(limits)).toEqual(surfaces);
  const { 'Commit subjects': subjects, ...others } = limits;
  expect(new Set(Object.values(others).map((limit) => JSON.stringify(limit)))).toEqual(
    new Set([JSON.stringify({ rate: 1, headlessShare: 0.03 })]),
  );
  expect(subjects.rate).toBeLessThan(2);
});

test('The hook rejects a subject with a word of the rules and accepts a plain one.', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-prose-'));
  const check = (subject: string) => {
    const file = join(folder, 'message');
    writeFileSync(file, `${subject}\n`);
    return spawnSync(process.execPath, [join(root, 'scripts/hooks/check-message.mjs'), file], {
      encoding: 'utf8',
    });
  };
  try {
    expect(check('auth: revoke grants of offboarded users')).toMatchObject({ status: 0 });
    const rejected = check('auth: close what people left open');
    expect(rejected).toMatchObject({ status: 1 });
    expect(rejected.stderr).toContain('"people"');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
