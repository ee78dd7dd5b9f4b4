import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Links to another feature, with a path relative to the tenant: `users/{id}`. */
export function TenantLink({
  path,
  search,
  children,
}: {
  path: string;
  search?: Readonly<Record<string, string | undefined>>;
  children: ReactNode;
}) {
  const { tenant } = useParams({ from: '/t/$tenant' });
  // The path may belong to any feature, so the types of the router do not apply.
  return (
    <Link to={`/t/$tenant/${path}` as '/t/$tenant'} params={{ tenant }} search={(search ?? {}) as never}>
      {children}
    </Link>
  );
}
