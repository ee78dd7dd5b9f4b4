import { headless, markersIn, proseOf, wordsIn } from './rules.ts';
import { type Surface, surfaces, type Text } from './texts.ts';

export interface Finding {
  readonly surface: Surface;
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly found: string;
  readonly instead: string;
}

export interface Figures {
  readonly texts: number;
  readonly words: number;
  readonly markers: number;
  /** Per 1,000 words. */
  readonly rate: number;
  readonly descriptions: number;
  readonly headless: number;
  /** Share of the descriptions, 0 to 1. */
  readonly headlessShare: number;
}

/** A phrase that a standard, a product or a screen uses, with the reason why it stays. */
export interface Allowed {
  readonly text: string;
  readonly reason: string;
}

/** Returns every marker and headless beginning of the texts. */
export function findingsIn(texts: readonly Text[], allowed: readonly Allowed[]): Finding[] {
  return texts.flatMap((text) => {
    const prose = allowed.reduce(
      (rest, { text: phrase }) => rest.replaceAll(phrase, ' x '),
      proseOf(text.text),
    );
    const of = (name: string, found: string, instead: string): Finding => ({
      surface: text.surface,
      file: text.file,
      line: text.line,
      rule: name,
      found,
      instead,
    });
    const markers = markersIn(prose).map(({ rule, found, instead }) => of(rule, found, instead));
    const beginning = text.description ? headless.exec(prose)?.[0] : undefined;
    if (beginning === undefined) return markers;
    return [...markers, of('headless', beginning, 'a verb in the third person, or the noun')];
  });
}

/** Counts the findings by surface. */
export function figuresOf(texts: readonly Text[], findings: readonly Finding[]): Record<Surface, Figures> {
  const figures = (surface: Surface): Figures => {
    const own = texts.filter((text) => text.surface === surface);
    const found = findings.filter((finding) => finding.surface === surface);
    const words = own.reduce((sum, { text }) => sum + wordsIn(proseOf(text)), 0);
    const without = found.filter(({ rule }) => rule === 'headless').length;
    const markers = found.length - without;
    const descriptions = own.filter(({ description }) => description).length;
    return {
      texts: own.length,
      words,
      markers,
      rate: words === 0 ? 0 : (markers / words) * 1000,
      descriptions,
      headless: without,
      headlessShare: descriptions === 0 ? 0 : without / descriptions,
    };
  };
  return Object.fromEntries(surfaces.map((surface) => [surface, figures(surface)])) as Record<
    Surface,
    Figures
  >;
}
