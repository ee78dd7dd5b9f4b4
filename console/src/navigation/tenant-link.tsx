import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to another part of the console, by its address behind the tenant's: `users/{id}`. */
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
  // Addresses of features this one doesn't know, which is why their types aren't either.
  return (
    <Link to={`/t/$tenant/${path}` as '/t/$tenant'} params={{ tenant }} search={(search ?? {}) as never}>
      {children}
    </Link>
  );
}
