export const common = {
  product: 'Ostiary Console',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  delete: 'Delete',
  copy: 'Copy',
  copied: 'Copied',
  loading: 'Loading …',
  tryAgain: 'Try again',
  locked: 'Permission required',
  needs: 'Requires {scopes}. None of your roles includes it.',
  active: 'active',
  inactive: 'inactive',
  yes: 'yes',
  no: 'no',
  none: 'none',
  never: 'never',
  more: 'More',
  revoke: 'Revoke',
  of: '{action}: {name}',
  all: 'All',
  shownOnce:
    'This value is shown only once. Store it in a safe place before you continue: you can’t view it again.',
  stored: 'I have saved it',
  noneFound: 'No results yet',
  unknown: 'Not available right now.',
};

export const conflict = {
  title: 'Another change was saved first',
  lead: 'These values have changed since you opened this page. Your changes are not saved yet.',
  elsewhere: 'The other change affects different fields. You can save your changes as well.',
  what: 'Field',
  theirs: 'Current value',
  yours: 'Your value',
  notYours: 'unchanged',
  takeTheirs: 'Keep the current values',
  keepYours: 'Save my changes',
};

export const failures = {
  offline: 'The server can’t be reached. This page may be out of date.',
  forbidden: 'You don’t have the required permission: {scopes}',
  unavailable: 'Part of this page can’t be loaded because a service isn’t responding: {services}',
  limited: 'Too many requests. Try again in a minute.',
  authentication: 'This action requires a more recent or stronger sign-in.',
  other: 'Something went wrong: {message}',
  conflict: 'Another change was saved in the meantime.',
};

export const start = {
  starting: 'Signing you in …',
  elsewhere: 'You are signed in. You can close this window.',
  failed: 'Sign-in failed: {message}',
  choose: 'Choose a tenant',
  title: 'Choose a tenant',
  lead: 'Each organization has its own users, apps and keys. You sign in to one of them.',
  tenant: 'Tenant',
  tenantHint: 'The tenant ID, as in its issuer URL: /t/…',
  signIn: 'Sign in',
  notFound: 'Page not found',
  notFoundHint: 'It may have been deleted, or it belongs to another tenant.',
};

export const shell = {
  console: 'Ostiary',
  skip: 'Skip to content',
  menu: 'Menu',
  navigation: 'Main navigation',
  otherTenant: 'Switch tenant',
  search: 'Search',
  searchHint: 'Page, user name or email address',
  results: 'Results',
  nothing: 'No results',
  page: 'Page',
  theme: 'Light or dark theme',
  language: 'Language',
  languageName: 'English',
  signOut: 'Sign out',
  noRole: 'You are signed in',
  noRoleLead: 'None of your roles gives access to this console',
  noRoleHint: 'Ask an administrator of this tenant to assign you a role.',
  live: 'live',
  lost: 'not live, reconnecting …',
  sections: {
    people: 'Users and groups',
    access: 'Apps and keys',
    sources: 'Identity sources',
    outside: 'Event delivery',
    system: 'Tenant',
  },
};

export const stepUp = {
  title: 'Confirm it’s you',
  recent:
    'This action grants access and requires a sign-in within the last few minutes. A sign-in window opens. Your input is kept.',
  stronger:
    'This action requires a sign-in with a second factor. A sign-in window opens. Your input is kept.',
  confirm: 'Sign in again',
  waiting: 'Sign in in the other window. This page then continues automatically.',
  again: 'Reopen the window',
  failed: 'Sign-in failed: {message}. Try again.',
};

/** Names of the features, which their addresses use as well. */
export const navigation = {
  overview: 'Overview',
  users: 'Users',
  groups: 'Groups',
  roles: 'Roles',
  sources: 'Identity sources',
  applications: 'Apps',
  apis: 'APIs',
  signals: 'Signal streams',
  webhooks: 'Webhooks',
  deliveries: 'Deliveries',
  serviceAccounts: 'Service accounts',
  logs: 'Logs',
  trustedIssuers: 'Trusted issuers',
  initialAccessTokens: 'Initial access tokens',
  schemas: 'Extension schemas',
  keys: 'Signing keys',
  system: 'System',
  tenant: 'Settings and policies',
  branding: 'Branding',
};
