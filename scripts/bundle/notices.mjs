/** Licence notices of the packages in a bundle, whose licences require them in distributions. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const textNames = /^(licen[cs]e|notice|copying|copyright|third[-_]?party)/i;

/**
 * @param folders of the packages
 * @returns one text with the name, version, licence and licence texts of each package
 */
export async function thirdPartyNotices(folders) {
  // The same package may be in several folders.
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
  // Packages without a licence text are identified by author and source.
  if (bodies.length === 0)
    head.push(...[holder && `Author: ${holder}`, origin && `Source: ${origin}`].filter(Boolean));
  return `${[head.join('\n'), ...bodies.map((body) => body.trim())].join('\n\n')}\n`;
}
