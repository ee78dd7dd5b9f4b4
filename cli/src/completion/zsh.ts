import { type Places, valuesOf } from './places.ts';

const either = (patterns: readonly string[]): string =>
  patterns.map((each) => JSON.stringify(each)).join('|');

export function zsh(places: Places): string {
  const { all, files, choices } = valuesOf(places);
  const words = [...places.words].map(
    ([path, list]) => `        ${JSON.stringify(path)}) compadd -- ${list.join(' ')} ;;`,
  );
  return `#compdef ostiary
_ostiary() {
  local word wordpath= option=
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$option" in (${either(all)}) option=; continue ;; esac
    option=
    if [[ $word == -* ]]; then option=$word; continue; fi
    case "$wordpath" in (${either(places.leaves)}) ;; (*) wordpath="\${wordpath:+$wordpath }$word" ;; esac
  done
  case "$option" in
${choices.map(([flag, list]) => `    (${flag}) compadd -- ${list.join(' ')} ;;`).join('\n')}
    (${either(files)}) _files ;;
    (${either(all)}) ;;
    (*)
      case "$wordpath" in
${words.join('\n')}
      esac
      case "$wordpath" in (${either(places.takeFiles)}) _files ;; esac ;;
  esac
}
compdef _ostiary ostiary
`;
}
