import {
  type AttributeReference,
  ENTERPRISE_USER_SCHEMA,
  type SqlCollection,
  type SqlColumn,
  type SqlIndexes,
  type SqlMapping,
} from '@ostiary/scim';
import type { ResourceType } from '../../schemas/index.ts';

/** The alias of users and groups in every search. */
export const alias = 'r';

export interface MappingOptions {
  tenant: string;
  /** The source whose externalId a filter compares. */
  source: string;
  firstParameter: number;
}

/** Every statement has the tenant as its first parameter. */
export const scope = `${alias}.tenant = $1`;

/** Returns the columns of a resource type's attributes, for filters and sorting. */
export function mappingOf(type: ResourceType, options: MappingOptions): SqlMapping {
  return {
    data: `${alias}.data`,
    folded: `${alias}.folded`,
    firstParameter: options.firstParameter,
    indexes: indexesOf(type, options.tenant),
    attributes: {
      id: { column: `${alias}.id`, type: 'uuid', ordered: 'unique' },
      externalId: externalId(options.source),
      displayName: {
        column: `${alias}.display_name`,
        folded: `${alias}.display_name_key`,
        ordered: 'repeated',
      },
      'meta.resourceType': { column: `'${type}'::text` },
      'meta.created': { column: `${alias}.created_at`, ordered: 'repeated' },
      'meta.lastModified': { column: `${alias}.updated_at`, ordered: 'repeated' },
      'meta.version': { column: `('W/"' || ${alias}.version || '"')` },
      ...(type === 'User'
        ? {
            userName: {
              column: `${alias}.user_name`,
              folded: `${alias}.user_name_key`,
              ordered: 'unique',
            },
            'name.familyName': partOfName('familyName'),
            'name.givenName': partOfName('givenName'),
            active: { column: `${alias}.active` },
            groups: groupsOfUser(options.tenant),
          }
        : { members: membersOfGroup }),
    },
  };
}

const externalId = (source: string): SqlColumn => ({
  column: (bind) => `(${alias}.external_ids ->> ${bind(source)}::text)`,
  sample: (value) => ({ externalIds: { [source]: value } }),
});

/** Maximum number of examined candidates. */
export const maxCandidates = 100_000;

/** Restricts rows to the ids of a query, found by their key for any number that the planner expects. */
const within = (ids: string): string =>
  `(${scope} AND ${alias}.id = ANY (ARRAY(SELECT * FROM (${ids}) ids LIMIT ${maxCandidates + 1})))`;

/** The expression must equal that of the index. */
const partOfName = (part: 'familyName' | 'givenName'): SqlColumn => ({
  column: `(${alias}.data #>> '{name,${part}}')`,
  folded: `(${alias}.folded #>> '{name,${part}}')`,
  ordered: 'repeated',
});

/**
 * The two GIN indexes of each table, whose expressions must be repeated exactly.
 *
 * One contains every value of a resource by its path, with the tenant as the first step: its entries belong to one
 * tenant, and no search reads the rows of another. The other contains the trigrams of texts, together with the
 * tenant. The tenant is an expression there, so that no other index supports the same condition. The planner cannot
 * estimate the matches of a pattern and would otherwise scan the whole tenant.
 */
function indexesOf(type: ResourceType, tenant: string): SqlIndexes {
  return {
    scope,
    contains: (sample, bind) => {
      const parameter = bind(JSON.stringify({ [tenant]: sample }));
      return `${valuesExpression} @> (SELECT ${parameter}::jsonb)`;
    },
    selective,
    textScope: `(${alias}.tenant || '') = (SELECT $1)`,
    text: (target) => textExpressions[type](target),
  };
}

const valuesExpression = `jsonb_set('{}', ARRAY[${alias}.tenant], ${alias}.folded || jsonb_set('{}', '{externalIds}', ${alias}.external_ids))`;

/** Attributes whose values belong to one user, or to few. */
const selective: ReadonlySet<string> = new Set([
  'externalId',
  'emails.value',
  'phoneNumbers.value',
  `${ENTERPRISE_USER_SCHEMA}:employeeNumber`,
]);

const texts = {
  names: `((jsonb_path_query_array(${alias}.folded, '$.name.*') || jsonb_path_query_array(${alias}.folded, '$.displayName')) #>> '{}')`,
  addresses: `((jsonb_path_query_array(${alias}.folded, '$.emails[*].value') || jsonb_path_query_array(${alias}.folded, '$.userName')) #>> '{}')`,
  others: `(jsonb_path_query_array(${alias}.folded - '{schemas,userName,displayName,name,emails}'::text[], 'strict $.** ? (@.type() == "string")') #>> '{}')`,
  ofGroup: `(jsonb_path_query_array(${alias}.folded - '{schemas}'::text[], 'strict $.** ? (@.type() == "string")') #>> '{}')`,
} as const;

/** Returns the indexed text for an attribute; undefined when it is in none. */
const textExpressions: Record<ResourceType, (target: AttributeReference) => string | undefined> = {
  User: ({ attribute, canonical, extension }) => {
    if (extension !== undefined) return texts.others;
    if (canonical === 'userName' || canonical === 'emails.value') return texts.addresses;
    if (attribute.name === 'name' || attribute.name === 'displayName') return texts.names;
    return outsideOfDocument.has(attribute.name) ? undefined : texts.others;
  },
  Group: ({ attribute, extension }) =>
    extension === undefined && outsideOfDocument.has(attribute.name) ? undefined : texts.ofGroup,
};

const outsideOfDocument: ReadonlySet<string> = new Set(
  'schemas id externalId meta groups members emails'.split(' '),
);

/**
 * Direct and indirect groups. The nesting is computed once for a query instead of once for each user: only nested
 * groups take part in the recursion, and they are few.
 */
const groupsOfUser = (tenant: string): SqlCollection => ({
  from: (bind) => {
    const parameter = `${bind(tenant)}::text`;
    return `directory.user_memberships m JOIN (
      WITH RECURSIVE nesting(inner_id, outer_id) AS (
        SELECT id, id FROM directory.groups WHERE tenant = ${parameter}
        UNION
        SELECT nesting.inner_id, n.group_id FROM nesting
        JOIN directory.group_memberships n ON n.tenant = ${parameter} AND n.member_id = nesting.outer_id
      )
      SELECT nesting.inner_id, g.id, g.display_name, g.display_name_key FROM nesting
      JOIN directory.groups g ON g.tenant = ${parameter} AND g.id = nesting.outer_id
    ) g ON g.inner_id = m.group_id`;
  },
  where: `m.tenant = ${alias}.tenant AND m.member_id = ${alias}.id`,
  owners: (group, bind) =>
    within(`WITH RECURSIVE inside(id) AS (
        SELECT ${bind(group)}::uuid
        UNION
        SELECT n.member_id FROM inside JOIN directory.group_memberships n ON n.tenant = $1 AND n.group_id = inside.id
      )
      SELECT m.member_id FROM inside JOIN directory.user_memberships m ON m.tenant = $1 AND m.group_id = inside.id`),
  columns: {
    value: { column: 'g.id', type: 'uuid' },
    display: { column: 'g.display_name', folded: 'g.display_name_key' },
    type: { column: `CASE WHEN g.inner_id = g.id THEN 'direct' ELSE 'indirect' END` },
  },
});

const membersOfGroup: SqlCollection = {
  from: `(SELECT tenant, group_id, member_id, 'User' AS type FROM directory.user_memberships
          UNION ALL
          SELECT tenant, group_id, member_id, 'Group' AS type FROM directory.group_memberships) m`,
  where: `m.tenant = ${alias}.tenant AND m.group_id = ${alias}.id`,
  owners: (id, bind) => {
    const member = `${bind(id)}::uuid`;
    return within(`SELECT group_id FROM directory.user_memberships WHERE tenant = $1 AND member_id = ${member}
      UNION ALL SELECT group_id FROM directory.group_memberships WHERE tenant = $1 AND member_id = ${member}`);
  },
  columns: {
    value: { column: 'm.member_id', type: 'uuid' },
    type: { column: 'm.type' },
    display: {
      column: `(SELECT coalesce(u.display_name, u.user_name) FROM directory.users u
                WHERE u.tenant = m.tenant AND u.id = m.member_id
                UNION ALL
                SELECT g.display_name FROM directory.groups g WHERE g.tenant = m.tenant AND g.id = m.member_id)`,
    },
  },
};
