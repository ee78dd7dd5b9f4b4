import { parseSync, Visitor } from 'oxc-parser';

const notAscii = /[^\0-\x7f]/g;

/**
 * Returns the same program in ASCII, because V8 stores a text with a single other character in two bytes per character.
 * esbuild leaves other characters in regular expressions, where an escape has the same meaning, and in tagged
 * templates, where a tag reads the escape itself.
 * @throws Error when a tagged template has such a character; write it in another way, for example as an HTML entity
 */
export function inAscii(text) {
  const inTags = charactersInTags(text);
  if (inTags.length > 0)
    throw new Error(`Tagged templates of a bundled program must be ASCII; found: ${inTags.join(', ')}`);
  return text.replace(notAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function charactersInTags(text) {
  if (text.search(notAscii) === -1) return [];
  const found = [];
  const { program } = parseSync('program.cjs', text, { sourceType: 'script' });
  new Visitor({
    TaggedTemplateExpression({ quasi }) {
      for (const { value } of quasi.quasis) {
        for (const [character] of value.raw.matchAll(notAscii))
          found.push(`${character} in "${value.raw.trim().slice(0, 60)}"`);
      }
    },
  }).visit(program);
  return found;
}
