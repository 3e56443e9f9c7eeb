import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { keepForOffline } from '#web/session/keep-for-offline.ts';
import { useSession } from '#web/session/session.ts';
import { isView } from '#web/session/view.ts';
import { loginPath } from '#web/shell/safe-path.ts';

/** Anonymous visitors go to the sign-in page, and come back to where they were going (product §2.6). */
export function RequireSession() {
  const { token, endedBy } = useSession();
  const location = useLocation();
  const isCustomer = token !== null && !isView;
  useEffect(() => {
    if (isCustomer) void keepForOffline();
  }, [isCustomer]);
  if (token !== null) return <Outlet />;
  return <Navigate to={endedBy === 'signed-out' || endedBy === 'elsewhere' ? '/login' : loginPath(location)} replace />;
}

/** `/` leads on (product §2.1). */
export function Home() {
  const { token } = useSession();
  return <Navigate to={token === null ? '/login' : '/marketplace'} replace />;
}
