// SCIMMY with scimmy-routers on Express, over a Map in memory, as documented and with the optimizations that its
// interface permits: the handler filters with SCIMMY's filter, sorts, returns only the page, and has an index of
// userName.
import { randomUUID } from 'node:crypto';
import express from 'express';
import SCIMMYRouters, { SCIMMY } from 'scimmy-routers';

const stores = { User: new Map(), Group: new Map() };
const byUserName = new Map();
const { User, Group } = SCIMMY.Resources;
User.extend(SCIMMY.Schemas.EnterpriseUser, false);

const put = (type, resource) => {
  stores[type].set(resource.id, resource);
  if (type === 'User') byUserName.set(resource.userName.toLowerCase(), resource);
};

const ingress = (type) => (request, data) => {
  const before = request.id ? stores[type].get(request.id) : undefined;
  if (request.id && !before) throw new SCIMMY.Types.Error(404, null, 'not found');
  const now = new Date();
  const stored = {
    ...JSON.parse(JSON.stringify(data)),
    id: before?.id ?? randomUUID(),
    meta: { created: before?.meta.created ?? now, lastModified: now },
  };
  put(type, stored);
  return stored;
};

const comparing = (path, sign) => (a, b) => {
  const [left, right] = [a, b].map((user) => path.reduce((value, key) => value?.[key], user) ?? '');
  return left === right ? 0 : left < right ? -sign : sign;
};

const egress = (type) => (request) => {
  const store = stores[type];
  if (request.id) {
    const found = store.get(request.id);
    if (!found) throw new SCIMMY.Types.Error(404, null, 'not found');
    return found;
  }
  const [one, ...others] = request.filter ?? [];
  const name = others.length === 0 && one && Object.keys(one).length === 1 ? one.userName : undefined;
  if (name?.[0] === 'eq') {
    const found = byUserName.get(String(name[1]).toLowerCase());
    return found ? [found] : [];
  }
  request.constraints ??= {};
  const { sortBy, sortOrder, startIndex = 1, count = 20 } = request.constraints;
  let found = store.values();
  let total = store.size;
  if (request.filter || sortBy) {
    let all = [...found];
    if (request.filter) all = request.filter.match(all);
    if (sortBy) all.sort(comparing(sortBy.split('.'), sortOrder === 'descending' ? -1 : 1));
    found = all.values();
    total = all.length;
  }
  // Returns only the page, because SCIMMY would copy all results before it cuts the page out.
  request.constraints.totalResults = total;
  request.constraints.startIndex = 1;
  delete request.constraints.sortBy;
  return [...found.drop(startIndex - 1).take(count)];
};

const degress = (type) => (request) => {
  stores[type].delete(request.id);
};

for (const [type, resource] of Object.entries({ User, Group })) {
  SCIMMY.Resources.declare(resource).ingress(ingress(type)).egress(egress(type)).degress(degress(type));
}

const app = express();
// The routers convert these to numbers in place, which Express 5 discards.
app.set('query parser', (text) => {
  const query = Object.fromEntries(new URLSearchParams(text));
  for (const name of ['startIndex', 'count']) if (name in query) query[name] = Number(query[name]);
  return query;
});
app.use(
  '/scim/v2',
  new SCIMMYRouters({ type: 'bearer', handler: () => 'bench', docUri: 'https://example.com' }),
);

/** { users } adds users, { group: { displayName, members } } a group; answers with their ids. */
process.on('message', ({ users, group }) => {
  const now = new Date();
  const meta = { created: now, lastModified: now };
  if (group) {
    const id = randomUUID();
    put('Group', { ...group, id, meta });
    process.send([id]);
    return;
  }
  process.send(
    users.map((user) => {
      const id = randomUUID();
      put('User', { ...user, id, meta });
      return id;
    }),
  );
});

app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send('ready'));
