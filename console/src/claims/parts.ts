export { ClaimsCard, type ClaimsChange } from './claims-card.tsx';
export { inputOf as claimsInput, type Mapping } from './mapping.ts';
export { Preview } from './preview.tsx';
