/**
 * Takes the pictures of the pages in docs/screenshots, of a system of its own, and writes the text of each beside it:
 *
 *   CHROMIUM_PATH=/usr/bin/chromium node e2e/browser/screenshots.ts
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from './chromium.ts';
import { folder, folders, openGallery, pictures, probeFile, takeProbe } from './pictures.ts';

const browser = await launchChromium();
const gallery = await openGallery(browser);
try {
  for (const of of folders) {
    await rm(join(folder, of), { recursive: true, force: true });
    await mkdir(join(folder, of), { recursive: true });
  }
  await writeFile(probeFile, await takeProbe(browser));
  for (const { picture, file } of pictures) {
    const { png, text } = await gallery.look(picture);
    await writeFile(join(folder, `${file}.png`), png);
    await writeFile(join(folder, `${file}.txt`), text);
    process.stdout.write(`docs/screenshots/${file}.png\n`);
  }
} finally {
  await gallery.close();
  await browser.close();
}
