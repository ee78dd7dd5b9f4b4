/** Brand colour of a tenant, adjusted for legibility in both themes (WCAG 2.2 §1.4.3: at least 4.5 to 1). */
export interface BrandColours {
  light: Theme;
  dark: Theme;
}

interface Theme {
  /** For links and buttons. */
  accent: string;
  /** For a hovered button. */
  strong: string;
  /** For the text of a button. */
  onAccent: string;
  /** For a tinted background. */
  wash: string;
}

type Rgb = readonly [number, number, number];

const readable = 4.5;
const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];
const darkInk: Rgb = [13, 23, 18];

/** Background colours of the stylesheet. */
const grounds = {
  light: { page: [244, 245, 242], card: [255, 255, 255] },
  dark: { page: [18, 22, 20], card: [26, 32, 29] },
} as const satisfies Record<string, Record<string, Rgb>>;

/** Reports whether the text is a colour as `#rrggbb`. */
export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Returns the closest legible shades of a colour. */
export function brandColours(colour: string): BrandColours {
  const base = parse(colour);
  return { light: theme(base, grounds.light, black), dark: theme(base, grounds.dark, white) };
}

function theme(base: Rgb, ground: { page: Rgb; card: Rgb }, towards: Rgb): Theme {
  for (let step = 0; ; step += 1) {
    const accent = mix(base, towards, step / 50);
    const wash = mix(ground.card, accent, 0.1);
    const fits = [ground.page, ground.card, wash].every((under) => contrast(accent, under) >= readable);
    if (!fits && step < 50) continue;
    const onAccent = contrast(accent, white) >= contrast(accent, darkInk) ? white : darkInk;
    // Mixed away from the text colour, so that the contrast only increases.
    const strong = mix(accent, onAccent === white ? black : white, 0.2);
    return { accent: hex(accent), strong: hex(strong), onAccent: hex(onAccent), wash: hex(wash) };
  }
}

/** Returns the contrast ratio of WCAG 2.2, from 1 to 21. */
export const contrastOf = (one: string, other: string): number => contrast(parse(one), parse(other));

function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share)) as unknown as Rgb;

const parse = (colour: string): Rgb =>
  [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16)) as unknown as Rgb;

const hex = (colour: Rgb): string =>
  `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
