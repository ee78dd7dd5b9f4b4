import { type Places, valuesOf } from './places.ts';

const either = (patterns: readonly string[]): string =>
  patterns.map((each) => JSON.stringify(each)).join('|');

/** Bash also splits words at `=`: `--tenant=acme` is three words. */
export function bash(places: Places): string {
  const { all, files, choices } = valuesOf(places);
  const words = [...places.words].map(
    ([path, list]) => `        ${JSON.stringify(path)}) words=${JSON.stringify(list.join(' '))} ;;`,
  );
  return `_ostiary() {
  local word path= option= words= files= current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == = ]] && continue
    case "$option" in ${either(all)}) option=; continue ;; esac
    option=
    if [[ $word == -* ]]; then option=$word; continue; fi
    case "$path" in ${either(places.leaves)}) ;; *) path="\${path:+$path }$word" ;; esac
  done
  [[ $current == = ]] && current=
  case "$option" in
${choices.map(([flag, list]) => `    ${flag}) words=${JSON.stringify(list.join(' '))} ;;`).join('\n')}
    ${either(files)}) files=yes ;;
    ${either(all)}) ;;
    *)
      case "$path" in
${words.join('\n')}
      esac
      case "$path" in ${either(places.takeFiles)}) files=yes ;; esac ;;
  esac
  local IFS=$'\\n'
  COMPREPLY=($(IFS=' '; compgen -W "$words" -- "$current"))
  if [[ $files == yes && $current != -* ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -F _ostiary ostiary
`;
}
