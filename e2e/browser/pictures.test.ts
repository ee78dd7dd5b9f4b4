import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pixelmatch from 'pixelmatch';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { chromiumPath, launchChromium } from './chromium.ts';
import { type Area, folder, type Gallery, openGallery, pictures, probeFile, takeProbe } from './pictures.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

/** Maximum share of pixels that may differ. Text that moves by a line, or a button of another colour, exceeds it. */
const tolerance = 0.01;

const kept = (file: string): PNG => PNG.sync.read(readFileSync(file));

/** Blanks areas in a picture, with a margin for their edges. */
function blank({ data, width, height }: PNG, areas: readonly Area[]): void {
  const margin = 2;
  for (const area of areas) {
    const [left, top] = [Math.max(0, Math.floor(area.x) - margin), Math.max(0, Math.floor(area.y) - margin)];
    const right = Math.min(width, Math.ceil(area.x + area.width) + margin);
    const bottom = Math.min(height, Math.ceil(area.y + area.height) + margin);
    for (let y = top; y < bottom; y += 1) data.fill(0, (y * width + left) * 4, (y * width + right) * 4);
  }
}

/** Returns the share of pixels that differ outside of the changing areas; 1 if the pictures have different sizes. */
function difference(one: PNG, other: PNG, changing: readonly Area[] = []): number {
  const { width, height } = one;
  if (width !== other.width || height !== other.height) return 1;
  blank(one, changing);
  blank(other, changing);
  return pixelmatch(one.data, other.data, undefined, width, height, { threshold: 0.1 }) / (width * height);
}

describeInBrowser('the pictures of the pages in the documentation', () => {
  let browser: Browser;
  let gallery: Gallery;
  let drawsAlike = false;

  beforeAll(async () => {
    browser = await launchChromium();
    drawsAlike = difference(kept(probeFile), PNG.sync.read(await takeProbe(browser))) === 0;
    if (!drawsAlike) {
      process.stderr.write(
        'e2e/browser: pictures are not compared, only texts. This machine has other fonts or another Chromium than the pictures were taken with.\n',
      );
    }
    gallery = await openGallery(browser);
  });
  afterAll(async () => {
    await gallery?.close();
    await browser?.close();
  });

  test.each(pictures)(
    'The page $file has the text and the look that are recorded in docs/screenshots.',
    async ({ file, picture }) => {
      const { png, text, changing } = await gallery.look(picture);
      expect(text).toBe(readFileSync(join(folder, `${file}.txt`), 'utf8'));
      // Escapes that were not decoded, and unset values.
      expect(text).not.toMatch(/\\u[0-9a-f]{4}|&[a-z]+;|\bundefined\b|\[object /);
      if (!drawsAlike) return;
      expect(difference(kept(join(folder, `${file}.png`)), PNG.sync.read(png), changing)).toBeLessThan(
        tolerance,
      );
    },
  );
});
