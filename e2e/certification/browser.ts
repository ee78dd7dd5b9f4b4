import { issuerUnderTest, person, suiteOrigin } from './tenant.ts';

/** One page in the automation of the suite's browser. The commands are those of its documentation. */
interface Task {
  task: string;
  match: string;
  optional?: true;
  commands?: readonly (readonly (string | number)[])[];
}

export interface Visit {
  match: string;
  'match-limit'?: number;
  tasks: readonly Task[];
}

const at = (path: string): string => `${issuerUnderTest()}/${path}*`;

/** Keeps a picture of the page for the reviewer of the run if the module requires one, and checks its text. */
const keep = (task: string, match: string, text = '.', wanted = true): Task => ({
  task,
  match,
  ...(wanted ? {} : { optional: true }),
  commands: [['wait', 'xpath', '//body', 10, text, 'update-image-placeholder-optional']],
});

const signIn = (): Task => ({
  task: 'Sign in',
  match: at('login'),
  optional: true,
  commands: [
    ['text', 'id', 'username', person.userName],
    ['text', 'id', 'password', person.password],
    ['click', 'css', 'button[value=sign-in]'],
  ],
});

const consent = (): Task => ({
  task: 'Allow',
  match: at('consent'),
  optional: true,
  commands: [['click', 'css', 'button[value=allow]']],
});

const back = (): Task => ({
  task: 'Back at the app',
  match: `${suiteOrigin}/test/*/callback*`,
  optional: true,
  commands: [['wait', 'id', 'submission_complete', 10]],
});

const errorPage = (): Task => keep('An error page of ours', at('authorize'), '.', false);
const signOut = (): Task => ({
  task: 'Confirm',
  match: at('logout'),
  optional: true,
  commands: [['click', 'css', 'button[value=sign-out]']],
});

/** Steps of a user in every module without overrides. */
export const visits = (): Visit[] => [
  { match: at('authorize'), tasks: [errorPage(), signIn(), consent(), back()] },
  {
    match: at('logout'),
    tasks: [signOut(), keep('Signed out', at('signed-out'), 'You are signed out', false)],
  },
];

const only = (...tasks: Task[]): { browser: Visit[] } => ({
  browser: [{ match: at('authorize'), tasks }],
});
const leaving = (task: Task): { browser: Visit[] } => ({
  browser: [...visits().slice(0, 1), { match: at('logout'), tasks: [task] }],
});

const fapi = 'fapi2-security-profile-final-';
const logout = 'oidcc-rp-initiated-logout-';
const inError = 'The request from the app is invalid';

/** Modules that require other steps, or a picture of a page. */
export const overrides = (): Record<string, { browser: Visit[] }> => ({
  ...each(
    ['oidcc-registration-logo-uri', 'oidcc-registration-policy-uri', 'oidcc-registration-tos-uri'],
    only(keep('The sign-in page', at('login'), 'Sign in')),
  ),
  ...each(
    ['oidcc-prompt-login', 'oidcc-max-age-1'],
    only(keep('The sign-in page', at('login'), 'Sign in'), signIn(), consent(), back()),
  ),
  [`${fapi}user-rejects-authentication`]: only(
    { task: 'Cancel', match: at('login'), commands: [['click', 'css', 'button[value=cancel]']] },
    back(),
  ),
  [`${fapi}par-ensure-reused-request-uri-prior-to-auth-completion-succeeds`]: {
    browser: [
      {
        match: at('authorize'),
        'match-limit': 1,
        tasks: [keep('Only look at it', at('login'), 'Sign in')],
      },
      ...visits(),
    ],
  },
  ...each(
    [`${logout}bad-post-logout-redirect-uri`, `${logout}query-added-to-post-logout-redirect-uri`],
    leaving(keep('Signed out, and why here', at('signed-out?invalid=1'), inError)),
  ),
  ...each(
    [`${logout}modified-id-token-hint`, `${logout}bad-id-token-hint`, `${logout}no-id-token-hint`],
    leaving(keep('Asked, and told of the error', at('logout'), inError)),
  ),
});

const each = <T>(names: readonly string[], value: T): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, value]));
