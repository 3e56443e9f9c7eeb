import { Navigate, Outlet, useLocation } from 'react-router';
import { useSession } from '#web/session/session.ts';
import { loginPath } from '#web/shell/safe-path.ts';

/** Anonymous visitors go to the sign-in page, and come back to where they were going (product §2.6). */
export function RequireSession() {
  const { token, endedBy } = useSession();
  const location = useLocation();
  if (token !== null) return <Outlet />;
  return <Navigate to={endedBy === 'signed-out' || endedBy === 'elsewhere' ? '/login' : loginPath(location)} replace />;
}

/** `/` leads on (product §2.1). */
export function Home() {
  const { token } = useSession();
  return <Navigate to={token === null ? '/login' : '/marketplace'} replace />;
}
