import type { SignInFailure } from './domain/web-app.ts';

interface Text {
  title: string;
  text: string;
  link: string;
  /** Whether the link is a form with the method POST. */
  isForm?: true;
}

const again = 'Try again';

const texts: Record<SignInFailure | 'foreign' | 'unavailable', Text> = {
  return: {
    title: 'Invalid address',
    text: 'The address after the sign-in is not a page of this app.',
    link: 'Open the app',
  },
  unknown: {
    title: 'Sign-in expired',
    text: 'The sign-in was not started in this browser, or has expired or ended.',
    link: again,
  },
  denied: { title: 'Sign-in canceled', text: 'You did not sign in to this app.', link: again },
  answer: { title: 'Sign-in failed', text: 'The answer to the sign-in is not valid.', link: again },
  weak: {
    title: 'Stronger sign-in required',
    text: 'This page requires a stronger or more recent sign-in.',
    link: again,
  },
  client: {
    title: 'Sign-in failed',
    text: 'The sign-in of this app is not configured correctly.',
    link: again,
  },
  cookies: {
    title: 'Too many cookies',
    text: 'Your browser sent several session cookies for this app. Delete the cookies of this site.',
    link: again,
  },
  foreign: { title: 'Sign out', text: 'Sign out of this app?', link: 'Sign out', isForm: true },
  unavailable: {
    title: 'Temporarily unavailable',
    text: 'The sign-in is temporarily unavailable.',
    link: again,
  },
};

/** Returns a page with one link or button. @param link path of this host */
export function pageOf(name: keyof typeof texts, link: string): string {
  const { title, text, link: label, isForm } = texts[name];
  const href = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
<p>${text}</p>
${isForm ? `<form method="post" action="${href}"><button>${label}</button></form>` : `<p><a href="${href}">${label}</a></p>`}
</html>
`;
}
