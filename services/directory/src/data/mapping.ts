import type { SqlCollection, SqlColumn, SqlMapping } from '@ostiary/scim';
import type { ResourceType } from './rows.ts';

/** The alias of users and groups in every search. */
export const alias = 'r';

export interface MappingOptions {
  tenant: string;
  /** Whose externalId a filter is about. */
  source: string;
  firstParameter: number;
}

/** Where filters and sorting find the attributes of a resource type. */
export function mappingOf(type: ResourceType, options: MappingOptions): SqlMapping {
  return {
    data: `${alias}.data`,
    folded: `${alias}.folded`,
    firstParameter: options.firstParameter,
    attributes: {
      id: { column: `${alias}.id`, type: 'uuid' },
      externalId: externalId(options.source),
      displayName: { column: `${alias}.display_name`, folded: `${alias}.display_name_key` },
      'meta.resourceType': { column: `'${type}'::text` },
      'meta.created': { column: `${alias}.created_at` },
      'meta.lastModified': { column: `${alias}.updated_at` },
      'meta.version': { column: `('W/"' || ${alias}.version || '"')` },
      ...(type === 'User'
        ? {
            userName: { column: `${alias}.user_name`, folded: `${alias}.user_name_key` },
            active: { column: `${alias}.active` },
            groups: groupsOfUser(options.tenant),
          }
        : { members: membersOfGroup }),
    },
  };
}

const externalId = (source: string): SqlColumn => ({
  column: (bind) => `(${alias}.external_ids ->> ${bind(source)}::text)`,
  equals: (value, bind) => `${alias}.external_ids @> ${bind(JSON.stringify({ [source]: value }))}::jsonb`,
});

/**
 * Direct and indirect groups. Which group lies in which is worked out once a query and not once a user: only nested
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
