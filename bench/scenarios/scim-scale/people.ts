const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const starts = 'ka lo mi ne ru sa to vi wen bar chen dor fel gan hol jas ker lund mar nor'.split(' ');
const middles = 'ber cho dek fin gol hau ing jor kos lan man nes olt per quin ros sen tov urs vel'.split(' ');
const ends = 'a berg ck dt er feld gren hart ini ov stein ski son y wald'.split(' ');
const titles = ['Engineer', 'Senior Engineer', 'Manager', 'Director', 'Analyst', 'Consultant', 'Clerk'];
const departments = ['Sales', 'Engineering', 'Finance', 'Legal', 'Support'];

const pick = (list: readonly string[], n: number): string => list[n % list.length] as string;

/** Returns one of 6,000 names. */
function name(n: number): string {
  const parts = pick(starts, n) + pick(middles, Math.floor(n / 20)) + pick(ends, Math.floor(n / 400));
  return `${parts.charAt(0).toUpperCase()}${parts.slice(1)}`;
}

export const givenName = (n: number): string => name((n * 104_729) % 397);
export const familyName = (n: number): string => name((n * 7_919) % 6_000);
export const workEmail = (n: number): string =>
  `${givenName(n)}.${familyName(n)}.${n}@example.com`.toLowerCase();

/** Returns the nth user in the form of a SCIM client, with the usual attributes of an HR system. */
export const person = (n: number) => ({
  schemas: [core, enterprise],
  userName: workEmail(n),
  externalId: `HR-${n}`,
  displayName: `${givenName(n)} ${familyName(n)}`,
  name: { givenName: givenName(n), familyName: familyName(n) },
  title: pick(titles, n),
  active: n % 20 !== 0,
  emails: [
    { value: workEmail(n), type: 'work', primary: true },
    { value: `${familyName(n)}${n}@home.example`.toLowerCase(), type: 'home' },
  ],
  phoneNumbers: [{ value: `+1-555-${String(n).padStart(7, '0')}`, type: 'work' }],
  [enterprise]: {
    employeeNumber: `E${String(n).padStart(7, '0')}`,
    department: pick(departments, n),
    costCenter: `4${n % 300}`,
  },
});
