/** CHANGELOG.md, in the form of keepachangelog.com 1.1. */

/** Semantic Versioning 2.0.0, without build metadata. */
export const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

export interface Section {
  version: string;
  date: string;
  /** The section without its heading. */
  notes: string;
}

/** Returns the sections of versions, newest first, without `Unreleased`. */
export function sectionsOf(changelog: string): Section[] {
  const headings = [...changelog.matchAll(/^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?\n/gm)];
  return headings
    .map((heading, index) => {
      const end = headings[index + 1]?.index ?? changelog.length;
      return {
        version: heading[1] ?? '',
        date: heading[2] ?? '',
        notes: changelog.slice(heading.index + heading[0].length, end).trim(),
      };
    })
    .filter(({ version }) => version !== 'Unreleased');
}

/** @throws Error when the changelog has no date or no text for a version */
export function notesOf(changelog: string, version: string): string {
  const section = sectionsOf(changelog).find((each) => each.version === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD"`);
  if (section.date === '') throw new Error(`the section of ${version} in CHANGELOG.md has no date`);
  if (!/^- \S/m.test(section.notes))
    throw new Error(`the section of ${version} in CHANGELOG.md says nothing`);
  return section.notes;
}

/** Reports whether `a` precedes `b` (Semantic Versioning §11). @throws Error for an invalid version */
export function precedes(a: string, b: string): boolean {
  const [left, right] = [a, b].map(partsOf) as [Parts, Parts];
  const different = left.numbers.findIndex((number, index) => number !== right.numbers[index]);
  if (different !== -1) return (left.numbers[different] ?? 0) < (right.numbers[different] ?? 0);
  // A pre-release precedes its release.
  if (left.pre === undefined || right.pre === undefined)
    return left.pre !== undefined && right.pre === undefined;
  return comparePreReleases(left.pre.split('.'), right.pre.split('.')) < 0;
}

interface Parts {
  numbers: number[];
  pre: string | undefined;
}

function partsOf(version: string): Parts {
  const match = semanticVersion.exec(version);
  if (match === null) throw new Error(`${version} is not a semantic version`);
  return { numbers: match.slice(1, 4).map(Number), pre: match[4] };
}

function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    if (left === right) continue;
    const [leftIsNumber, rightIsNumber] = [left, right].map((part) => /^\d+$/.test(part));
    if (leftIsNumber && rightIsNumber) return Number(left) - Number(right);
    if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
    return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
