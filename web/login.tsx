import { type ComponentType, Suspense } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { LoginPage } from '#web/features/account/login/login-page.tsx';
import { startLanguage } from '#web/language/language.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { Root } from '#web/root.tsx';
import { useSession } from '#web/session/session.ts';
import { isView } from '#web/session/view.ts';
import { lazyComponent, pause } from '#web/ui/load-code.ts';

// The sign-in page by itself, as the server has rendered it. The code of the portal comes when somebody is about to sign in, and takes over when a session begins.
let Portal: ComponentType = lazyComponent(async () => (await import('#web/portal.tsx')).Portal);

async function loadPortal(): Promise<void> {
  ({ Portal } = await import('#web/portal.tsx'));
}

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root');

const cameSignedIn = !root.hasChildNodes();

function Login() {
  useLanguage();
  const { token } = useSession();
  const login = <LoginPage prepare={loadPortal} />;
  return token === null && !isView ? (
    login
  ) : (
    // Who came with a session sees no form to sign in; who begins one here still sees it.
    <Suspense fallback={cameSignedIn ? null : login}>
      <Portal />
    </Suspense>
  );
}

const page = (
  <Root>
    <Login />
  </Root>
);

await Promise.all([startLanguage(), globalThis.stylesReady, pause()]);

await globalThis.takeOver(() => {
  if (cameSignedIn) createRoot(root).render(page);
  else hydrateRoot(root, page);
});
