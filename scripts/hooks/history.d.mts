export interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly message: string;
}

export function checkedCommits(
  root: string,
  env?: NodeJS.ProcessEnv,
): { readonly commits: readonly Commit[] } | { readonly skipped: string };
