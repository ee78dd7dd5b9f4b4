// Acts as the user in front of the browser for the examples: `BROWSER=<a command that runs this>`.
import { Browser } from './browser.ts';
import { runningDemo } from './demo.ts';
import { walk } from './sign-in.ts';

const [address = ''] = process.argv.slice(2);
const demo = runningDemo();
const user = process.env.EXAMPLE_USER
  ? (JSON.parse(process.env.EXAMPLE_USER) as { userName: string; password: string })
  : demo.tenants.demo.users.alice;
const page = await walk(new Browser(demo.origin), new URL(address), user);
if (page.url.origin !== demo.origin) await fetch(page.url);
