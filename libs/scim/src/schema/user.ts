import { USER_SCHEMA } from '../urns.ts';
import { defineSchema } from './attribute.ts';
import { indexedLength, valueSubAttributes } from './common.ts';

/** The User resource: RFC 7643 §4.1, characteristics from §8.7.1. */
export const userSchema = defineSchema({
  id: USER_SCHEMA,
  name: 'User',
  description: 'User Account',
  attributes: [
    {
      name: 'userName',
      description: 'Unique identifier for the User, used to sign in. Case insensitive.',
      required: true,
      uniqueness: 'server',
      maxLength: indexedLength,
    },
    {
      name: 'name',
      type: 'complex',
      description: "The components of the User's name.",
      subAttributes: [
        { name: 'formatted', description: 'The full name, formatted for display.', maxLength: indexedLength },
        {
          name: 'familyName',
          description: 'The family name, or last name in most Western languages.',
          maxLength: indexedLength,
        },
        {
          name: 'givenName',
          description: 'The given name, or first name in most Western languages.',
          maxLength: indexedLength,
        },
        { name: 'middleName', description: 'The middle name(s).' },
        { name: 'honorificPrefix', description: 'The honorific prefix(es), or title.' },
        { name: 'honorificSuffix', description: 'The honorific suffix(es).' },
      ],
    },
    {
      name: 'displayName',
      description: 'The name of the User, suitable for display to end-users.',
      maxLength: indexedLength,
    },
    { name: 'nickName', description: 'The casual way to address the User.' },
    {
      name: 'profileUrl',
      type: 'reference',
      description: "A URL of the User's online profile.",
      referenceTypes: ['external'],
    },
    { name: 'title', description: 'The User\'s title, such as "Vice President".' },
    { name: 'userType', description: 'The relationship between the organization and the User.' },
    {
      name: 'preferredLanguage',
      description: 'Preferred written or spoken language, as in Accept-Language.',
    },
    {
      name: 'locale',
      description: "The User's default location, for localizing currency, dates and the like.",
    },
    { name: 'timezone', description: 'The User\'s time zone in the IANA format, such as "Europe/Lisbon".' },
    { name: 'active', type: 'boolean', description: "The User's administrative status." },
    {
      name: 'password',
      description: "The User's cleartext password, to set one or to replace it.",
      mutability: 'writeOnly',
      returned: 'never',
      caseExact: true,
      maxLength: 1024,
    },
    {
      name: 'emails',
      type: 'complex',
      multiValued: true,
      description: 'Email addresses for the User.',
      subAttributes: valueSubAttributes(
        { name: 'value', description: 'An email address.', maxLength: indexedLength },
        ['work', 'home', 'other'],
      ),
    },
    {
      name: 'phoneNumbers',
      type: 'complex',
      multiValued: true,
      description: 'Phone numbers for the User.',
      subAttributes: valueSubAttributes(
        { name: 'value', description: 'A phone number, best as in RFC 3966.', maxLength: indexedLength },
        ['work', 'home', 'mobile', 'fax', 'pager', 'other'],
      ),
    },
    {
      name: 'ims',
      type: 'complex',
      multiValued: true,
      description: 'Instant messaging addresses for the User.',
      subAttributes: valueSubAttributes({ name: 'value', description: 'An instant messaging address.' }, [
        'aim',
        'gtalk',
        'icq',
        'xmpp',
        'msn',
        'skype',
        'qq',
        'yahoo',
      ]),
    },
    {
      name: 'photos',
      type: 'complex',
      multiValued: true,
      description: 'URLs of photos of the User.',
      subAttributes: valueSubAttributes(
        { name: 'value', type: 'reference', description: 'URL of a photo.', referenceTypes: ['external'] },
        ['photo', 'thumbnail'],
      ),
    },
    {
      name: 'addresses',
      type: 'complex',
      multiValued: true,
      description: 'Physical mailing addresses for the User.',
      subAttributes: [
        { name: 'formatted', description: 'The full mailing address, formatted for display.' },
        { name: 'streetAddress', description: 'The full street address, possibly of several lines.' },
        { name: 'locality', description: 'The city or locality.' },
        { name: 'region', description: 'The state or region.' },
        { name: 'postalCode', description: 'The zip code or postal code.' },
        { name: 'country', description: 'The country, as in ISO 3166-1 alpha-2.' },
        {
          name: 'type',
          description: 'A label for the function of the address.',
          canonicalValues: ['work', 'home', 'other'],
        },
        { name: 'primary', type: 'boolean', description: 'Whether this is the preferred address.' },
      ],
    },
    {
      name: 'groups',
      type: 'complex',
      multiValued: true,
      description: 'Groups to which the User belongs, directly or through nested groups.',
      mutability: 'readOnly',
      subAttributes: [
        { name: 'value', description: "The group's id.", caseExact: true, mutability: 'readOnly' },
        {
          name: '$ref',
          type: 'reference',
          description: 'URI of the Group resource.',
          mutability: 'readOnly',
          referenceTypes: ['User', 'Group'],
        },
        { name: 'display', description: "The group's display name.", mutability: 'readOnly' },
        {
          name: 'type',
          description: 'Whether the membership is direct or indirect.',
          mutability: 'readOnly',
          canonicalValues: ['direct', 'indirect'],
        },
      ],
    },
    {
      name: 'entitlements',
      type: 'complex',
      multiValued: true,
      description: 'Things that the User has.',
      subAttributes: valueSubAttributes({ name: 'value', description: 'An entitlement.' }),
    },
    {
      name: 'roles',
      type: 'complex',
      multiValued: true,
      description: 'Roles that collectively represent who the User is.',
      subAttributes: valueSubAttributes({ name: 'value', description: 'A role.' }),
    },
    {
      name: 'x509Certificates',
      type: 'complex',
      multiValued: true,
      description: 'Certificates issued to the User.',
      subAttributes: valueSubAttributes({
        name: 'value',
        type: 'binary',
        description: 'A DER-encoded X.509 certificate, base64.',
      }),
    },
  ],
});
