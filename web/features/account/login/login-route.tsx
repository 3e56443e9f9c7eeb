import { Navigate, useSearchParams } from 'react-router';
import { LoginPage } from '#web/features/account/login/login-page.tsx';
import { useSession } from '#web/session/session.ts';
import { pathAfterLogin } from '#web/shell/safe-path.ts';

/** The sign-in page within the portal; after it, the page that was asked for. */
export function LoginRoute() {
  const { token } = useSession();
  const [search] = useSearchParams();
  return token === null ? <LoginPage /> : <Navigate to={pathAfterLogin(search.get('redirect'))} replace />;
}
