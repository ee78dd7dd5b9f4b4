export const initialAccessTokens = {
  title: 'Initial access tokens',
  lead: 'Software uses an initial access token to register itself as an app (RFC 7591), within the token’s scopes.',
  create: 'Create token',
  shown: 'Initial access token',
  label: 'Initial access token',
  shownHint:
    'Give the token to the administrator who installs the software. It is revoked if you are offboarded or lose the required role.',
  empty: 'No usable tokens',
  emptyHint:
    'Create a token to let software register itself. Without one, only administrators can register apps.',
  revoke: 'Revoke',
  revokeSentence: 'The token is revoked immediately. Apps registered with it are kept.',
  how: 'Usage',
  howLead:
    'The software sends the token once and receives its own client ID. The app is then listed under Apps.',
  lifetimes: {
    hour: 'in 1 hour',
    day: 'in 1 day',
    week: 'in 7 days',
    month: 'in 30 days',
    quarter: 'in 90 days',
  },
  fields: {
    name: 'Name',
    scopes: 'Scopes',
    uses: 'Maximum uses',
    usesLeft: 'Uses left',
    made: 'Created',
    ends: 'Expires',
    action: 'Action',
  },
  hints: {
    name: 'Describe its purpose, so that you can recognize it later.',
    uses: 'Number of apps that can register with it, 1 to 1000.',
    scopes: 'The maximum scopes of apps registered with it.',
  },
};
