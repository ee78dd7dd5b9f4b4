/** The packages in a bundle with their licences: what those ask whoever passes the packages on to pass on with them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const textNames = /^(licen[cs]e|notice|copying|copyright|third[-_]?party)/i;

/**
 * @param folders of the packages
 * @returns one text: of each package its name, version, licence and the texts it comes with
 */
export async function thirdPartyNotices(folders) {
  // The same package may be in more than one folder.
  const notices = [...new Set(await Promise.all(folders.map(noticeOf)))];
  return `${notices.sort().join(`\n${'-'.repeat(80)}\n\n`)}`;
}

async function noticeOf(folder) {
  const { name, version, license, repository, author } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const texts = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && textNames.test(entry.name) && !/\.(c|m)?[jt]s$/.test(entry.name))
    .map((entry) => entry.name)
    .sort();
  const bodies = await Promise.all(texts.map((text) => readFile(join(folder, text), 'utf8')));
  const origin = typeof repository === 'string' ? repository : repository?.url;
  const holder = typeof author === 'string' ? author : author?.name;
  const head = [`${name} ${version}`, `License: ${license ?? 'see below'}`];
  // Some packages come without the text of their licence: then this is all there is to name them by.
  if (bodies.length === 0)
    head.push(...[holder && `Author: ${holder}`, origin && `Source: ${origin}`].filter(Boolean));
  return `${[head.join('\n'), ...bodies.map((body) => body.trim())].join('\n\n')}\n`;
}
