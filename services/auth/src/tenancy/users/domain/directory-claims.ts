import { readWebAddress } from '@ostiary/service';

/** Parts of a SCIM User (RFC 7643 §4.1) that this service reads for claims and does not store. */
export interface DirectoryAttributes {
  name?: { middleName?: string };
  nickName?: string;
  profileUrl?: string;
  photos?: readonly Value[];
  phoneNumbers?: readonly Value[];
  addresses?: readonly Address[];
  groups?: readonly { value: string; display?: string }[];
}

interface Value {
  value?: string;
  type?: string;
  primary?: boolean;
}

interface Address {
  formatted?: string;
  streetAddress?: string;
  locality?: string;
  region?: string;
  postalCode?: string;
  country?: string;
  type?: string;
  primary?: boolean;
}

/** Attribute to request from the directory, by the claim (OpenID Connect Core §5.1) that it supplies. */
export const attributeOfClaim: ReadonlyMap<string, string> = new Map(
  Object.entries({
    middle_name: 'name',
    nickname: 'nickName',
    profile: 'profileUrl',
    picture: 'photos',
    phone_number: 'phoneNumbers',
    phone_number_verified: 'phoneNumbers',
    address: 'addresses',
    groups: 'groups',
  }),
);

/** Returns every claim with a value in the directory's answer. */
export function directoryClaimsOf(user: DirectoryAttributes): Record<string, unknown> {
  const phone = primaryOf(user.phoneNumbers?.filter(hasValue))?.value;
  const address = addressClaim(primaryOf(user.addresses?.filter(addressClaim)));
  return {
    ...text('middle_name', user.name?.middleName),
    ...text('nickname', user.nickName),
    ...text('profile', webAddress(user.profileUrl)),
    ...text('picture', webAddress(primaryOf(user.photos?.filter(hasValue))?.value)),
    // SCIM uses RFC 3966 (`tel:+1-201-555-0123`). The number is not verified by a call.
    ...(phone ? { phone_number: phone.replace(/^tel:/i, ''), phone_number_verified: false } : {}),
    ...(address ? { address } : {}),
    ...(user.groups
      ? { groups: user.groups.map(({ value, display }) => (isBlank(display) ? value : display)) }
      : { groups: [] }),
  };
}

const primaryOf = <T extends { primary?: boolean }>(values: readonly T[] | undefined): T | undefined =>
  values?.find(({ primary }) => primary) ?? values?.[0];

/** OpenID Connect Core §5.1.1. */
function addressClaim(address: Address | undefined): Record<string, string> | undefined {
  const claim = {
    ...text('formatted', address?.formatted),
    ...text('street_address', address?.streetAddress),
    ...text('locality', address?.locality),
    ...text('region', address?.region),
    ...text('postal_code', address?.postalCode),
    ...text('country', address?.country),
  };
  return Object.keys(claim).length === 0 ? undefined : claim;
}

/** Clients show these as links and pictures. Anything but a web address could be a script. */
const webAddress = (uri: string | undefined): string | undefined =>
  uri !== undefined && typeof readWebAddress(uri) !== 'string' ? uri : undefined;

const text = (name: string, value: string | undefined): Record<string, string> =>
  value === undefined || isBlank(value) ? {} : { [name]: value };

const hasValue = ({ value }: Value): boolean => !isBlank(value);

/** Reports whether a source left an attribute empty. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
