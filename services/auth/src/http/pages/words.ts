/** Every word people read, in one place, so that a translation is a second object of this shape. */
export const words = {
  language: 'en',
  product: 'Ostiary',
  footer: 'Sign-in by Ostiary',
  errorPrefix: 'Error',
  errorSummary: 'That did not work',
  signIn: {
    title: 'Sign in',
    lead: (client: string) => ['to continue to ', client] as const,
    userName: 'User name',
    password: 'Password',
    submit: 'Sign in',
    cancel: 'Cancel',
    refused: 'The user name or the password is not right.',
    delayed: (seconds: number) =>
      `Too many attempts. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and try again.`,
    unavailable: 'Signing in is not possible right now. Please try again in a moment.',
    missingUserName: 'Enter your user name.',
    missingPassword: 'Enter your password.',
  },
  consent: {
    title: (client: string) => `Allow ${client} to use your account?`,
    heading: (client: string) => ['Allow ', client, ' to use your account?'] as const,
    lead: 'It would be able to:',
    account: 'Signed in as',
    switch: 'Use another account',
    allow: 'Allow',
    deny: 'Don’t allow',
    remembered: 'Your choice is remembered for this app.',
    destination: (host: string) => ['You will return to ', host] as const,
  },
  signOut: {
    title: 'Sign out?',
    lead: (tenant: string) => ['You are about to sign out of ', tenant] as const,
    submit: 'Sign out',
    stay: 'Stay signed in',
    stayed: 'You are still signed in.',
  },
  signedOut: {
    title: 'You are signed out',
    lead: 'You can close this window now.',
  },
  error: {
    title: 'This did not work',
    reference: 'If you ask for help, mention this reference:',
    malformed: {
      heading: 'This link is not complete',
      text: 'The app sent a request we could not read. Please go back to the app and try again.',
    },
    unknown_client: {
      heading: 'We don’t know this app',
      text: 'The app that sent you here is not registered. Please tell whoever runs the app.',
    },
    redirect_uri: {
      heading: 'We can’t send you back to this app',
      text: 'The address the app wants you to return to is not registered for it. For your safety we stop here. Please tell whoever runs the app.',
    },
    expired: {
      heading: 'This page is no longer valid',
      text: 'It has been used already, or it waited for too long. Please go back to the app and start again.',
    },
    other_browser: {
      heading: 'We could not verify this form',
      text: 'It did not come from the browser it was made for. Please go back to the app and start again, and make sure that cookies are allowed.',
    },
    unknown_tenant: {
      heading: 'There is nothing here',
      text: 'No organisation is known under this address.',
    },
    suspended: {
      heading: 'Signing in is switched off',
      text: 'This organisation is suspended at the moment. Please ask your administrator.',
    },
    unavailable: {
      heading: 'We are not available right now',
      text: 'Please try again in a moment.',
    },
    internal: {
      heading: 'Something went wrong on our side',
      text: 'Please try again in a moment.',
    },
    not_found: {
      heading: 'There is nothing here',
      text: 'This page does not exist.',
    },
  },
} as const;

export type ErrorPageKind = Exclude<keyof typeof words.error, 'title' | 'reference'>;
