const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

const named = (list: readonly (readonly [string, RegExp])[], text: string): string | undefined =>
  list.find(([, pattern]) => pattern.test(text))?.[0];

/** Returns browser and operating system of a User-Agent; undefined where it is not a common one. */
export const agentOf = (text: string): { browser: string | undefined; system: string | undefined } => ({
  browser: named(browsers, text),
  system: named(systems, text),
});
