export { clientResolvers } from './clients.ts';
export {
  type InitialAccessTokenLoaders,
  initialAccessTokenLoaders,
  initialAccessTokenResolvers,
} from './initial-access-tokens.ts';
