/** Returns a page of users in the form of the directory. */
export const page = (next: object | undefined, ...ids: string[]) => ({
  status: 200,
  body: {
    totalResults: 3,
    itemsPerPage: ids.length,
    Resources: ids.map((id) => ({ id, userName: id, meta: { version: 'W/"1"' } })),
    ...(next ? { next } : {}),
  },
});

/** Returns a page between two others in the form of the directory. */
export const between = (previous: object | undefined, next: object | undefined, ...ids: string[]) => {
  const { status, body } = page(next, ...ids);
  return { status, body: { ...body, ...(previous ? { previous } : {}) } };
};
