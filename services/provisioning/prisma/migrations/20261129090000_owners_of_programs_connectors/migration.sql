-- Connectors that a program created belong to the owner of the program: the search for owners looks at them again.
UPDATE connectors c SET owner_sought = false
 WHERE c.owner_id IS NULL AND c.owner_sought AND c.status <> 'deleted'
   AND EXISTS (SELECT FROM connector_log l
                WHERE l.tenant = c.tenant AND l.connector_id = c.id AND l.action = 'connector.created'
                  AND l.actor->>'kind' = 'client');
