import { type Places, valuesOf } from './places.ts';

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');

export function fish(places: Places): string {
  const { all, files, choices } = valuesOf(places);
  const takesFiles = (path: string): string => (places.takeFiles.includes(path) ? ' -F' : '');
  return `function __ostiary_at
  set -l path
  set -l option
  for word in (commandline -opc)[2..]
    if contains -- "$option" ${quoted(all)}
      set option
    else if string match -q -- '-*' $word
      set option $word
    else
      set option
      contains -- "$path" ${quoted(places.leaves)}; or set -a path $word
    end
  end
  if contains -- "$option" ${quoted(all)}
    test "value $option" = "$argv"
  else
    test "$path" = "$argv"
  end
end
complete -c ostiary -f
${[...places.words].map(([path, list]) => `complete -c ostiary -n '__ostiary_at ${path}'${takesFiles(path)} -a '${list.join(' ')}'`).join('\n')}
${choices.map(([flag, list]) => `complete -c ostiary -n '__ostiary_at value ${flag}' -a '${list.join(' ')}'`).join('\n')}
${files.map((flag) => `complete -c ostiary -n '__ostiary_at value ${flag}' -F`).join('\n')}
`;
}
