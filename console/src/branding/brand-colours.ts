/**
 * Colours of the sign-in pages with sufficient contrast (WCAG 2.2 §1.4.3). The server applies the same rules to the
 * saved colour.
 */
export interface Theme {
  accent: string;
  strong: string;
  onAccent: string;
  wash: string;
}

type Rgb = readonly [number, number, number];

const readable = 4.5;
const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];
const darkInk: Rgb = [13, 23, 18];

/** Backgrounds of the pages, on which accents must be readable. */
const grounds = {
  light: { page: [244, 245, 242], card: [255, 255, 255] },
  dark: { page: [18, 22, 20], card: [26, 32, 29] },
} as const satisfies Record<string, Record<string, Rgb>>;

/** Colours of pages without branding. */
export const standard: Readonly<Record<'light' | 'dark', Theme>> = {
  light: { accent: '#1f6b4f', strong: '#17533d', onAccent: '#ffffff', wash: '#eaf2ee' },
  dark: { accent: '#7fd0ab', strong: '#9be0c0', onAccent: '#0d1f17', wash: '#20302a' },
};

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Returns the shade nearest to a colour that has sufficient contrast. */
export function themeOf(colour: string | undefined, scheme: 'light' | 'dark'): Theme {
  if (colour === undefined || !isColour(colour)) return standard[scheme];
  const base = parse(colour);
  const ground = grounds[scheme];
  const towards = scheme === 'light' ? black : white;
  for (let step = 0; ; step += 1) {
    const accent = mix(base, towards, step / 50);
    const wash = mix(ground.card, accent, 0.1);
    const fits = [ground.page, ground.card, wash].every((under) => contrast(accent, under) >= readable);
    if (!fits && step < 50) continue;
    const onAccent = contrast(accent, white) >= contrast(accent, darkInk) ? white : darkInk;
    const strong = mix(accent, onAccent === white ? black : white, 0.2);
    return { accent: hex(accent), strong: hex(strong), onAccent: hex(onAccent), wash: hex(wash) };
  }
}

function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const at = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [at(0), at(1), at(2)];
};

const parse = (colour: string): Rgb => {
  const at = (start: number) => Number.parseInt(colour.slice(start, start + 2), 16);
  return [at(1), at(3), at(5)];
};

const hex = (colour: Rgb): string =>
  `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
