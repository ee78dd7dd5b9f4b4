/**
 * Returns the parts of a message in ICU syntax that a translation must keep: arguments with their types, the options of
 * plurals and selections, and tags. `many` of a plural is left out: English has no such form.
 * @throws Error for unbalanced braces
 */
export function messageParts(message: string): string[] {
  const found = new Set<string>();
  for (const [tag] of message.matchAll(/<\/?\w+>/g)) found.add(tag);
  for (const inside of bracesIn(message)) {
    const [name = '', type = '', ...style] = inside.split(',').map((part) => part.trim());
    if (!/^(?:plural|select|selectordinal)$/.test(type)) {
      found.add([name, type, ...style].filter((part) => part !== '').join(' '));
      continue;
    }
    const options = inside.slice(inside.indexOf(type) + type.length + 1);
    const texts = bracesIn(options);
    const names = texts
      .reduce((rest, text) => rest.replace(`{${text}}`, ' '), options)
      .split(/\s+/)
      .filter((option) => option !== '' && option !== 'many');
    found.add(`${name} ${type} ${names.join(' ')}`);
    for (const part of texts.flatMap(messageParts)) found.add(part);
  }
  return [...found].sort();
}

/** Returns the contents of the outermost braces. */
function bracesIn(text: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === '{') {
      if (depth === 0) start = index + 1;
      depth += 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) found.push([...text].slice(start, index).join(''));
    }
    if (depth < 0) throw new Error(`There is a closing brace without an opening one in "${text}"`);
  }
  if (depth > 0) throw new Error(`A brace is not closed in "${text}"`);
  return found;
}
