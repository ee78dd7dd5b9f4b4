import { type DemoUser, unique } from '../support/demo.ts';
import type { Place } from './place.ts';

export interface Person {
  id: string;
  user: DemoUser;
}

export async function employ({ scim }: Place, userName = unique('leaver')): Promise<Person> {
  const user = { userName, password: unique('correct horse battery') };
  return { ...(await scim.createUser(user)), user };
}
