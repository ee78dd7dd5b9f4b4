import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../failure.ts';

/** Tokens of a signed-in user. */
export interface Tokens {
  accessToken: string;
  /** Milliseconds since the Unix epoch. */
  expiresAt: number;
  refreshToken?: string;
  scope: string;
}

/** Settings and tokens that `ostiary login` stores under a name. */
export interface Profile {
  server: string;
  tenant: string;
  clientId: string;
  tokens?: Tokens;
}

type Environment = Readonly<Record<string, string | undefined>>;

const nameOf = (name: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(name)) return name;
  throw new Failure('usage', 'A profile name consists of letters, digits, dots, hyphens and underscores.');
};

/** Folder of the profiles of this user: one file each, readable only by the user. */
export class Profiles {
  readonly folder: string;

  constructor(env: Environment) {
    const base = env.XDG_CONFIG_HOME?.startsWith('/')
      ? env.XDG_CONFIG_HOME
      : join(env.HOME ?? homedir(), '.config');
    this.folder = join(base, 'ostiary', 'profiles');
  }

  path(name: string): string {
    return join(this.folder, `${nameOf(name)}.json`);
  }

  async names(): Promise<string[]> {
    const files = await readdir(this.folder).catch(() => []);
    return files.flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : [])).sort();
  }

  /** @throws Failure when the file is not a profile, or other users can read it */
  async read(name: string): Promise<Profile | undefined> {
    const path = this.path(name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return undefined;
    if ((found.mode & 0o077) !== 0) {
      throw new Failure(
        'usage',
        `${path} contains tokens, and other users can read it.`,
        `chmod 600 ${path}`,
      );
    }
    const profile = profileOf(await readFile(path, 'utf8').catch(() => ''));
    if (profile === undefined) {
      throw new Failure('usage', `${path} is damaged.`, [`rm ${path}`, `ostiary login --profile ${name} …`]);
    }
    return profile;
  }

  /** Replaces the file atomically: a concurrent reader gets the former or the new version. */
  async write(name: string, profile: Profile): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await chmod(this.folder, 0o700);
    const path = this.path(name);
    const beside = `${path}.${randomBytes(6).toString('hex')}`;
    const file = await open(beside, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(profile, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  }

  async remove(name: string): Promise<void> {
    await rm(this.path(name), { force: true });
  }
}

function profileOf(text: string): Profile | undefined {
  try {
    const value = JSON.parse(text) as Partial<Profile> | null;
    if (typeof value?.server !== 'string' || typeof value.tenant !== 'string') return undefined;
    if (typeof value.clientId !== 'string' || !URL.canParse(value.server)) return undefined;
    const { tokens } = value;
    if (
      tokens !== undefined &&
      (typeof tokens.accessToken !== 'string' || typeof tokens.expiresAt !== 'number')
    ) {
      return undefined;
    }
    return value as Profile;
  } catch {
    return undefined;
  }
}
