export { peopleResolvers } from './people.ts';
