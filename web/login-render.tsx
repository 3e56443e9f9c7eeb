import { Suspense } from 'react';
import { renderToString } from 'react-dom/server';
import type { PortalConfig } from '#shared/contract/portal-config.ts';
import { givePortalConfig } from '#web/api/config.ts';
import { LoginPicture } from '#web/features/account/login/login-picture.tsx';
import { LoginView } from '#web/features/account/login/login-view.tsx';
import { loadLanguages, renderedIn } from '#web/language/language.ts';
import { Root } from '#web/root.tsx';

/** The sign-in page of an installation as HTML, in each language: it shows before any code of it has come. */
export async function renderLogin(config: PortalConfig): Promise<{ en: string; hi: string }> {
  givePortalConfig(config);
  await loadLanguages();
  // In a boundary, as in the browser.
  const picture = (
    <Suspense>
      <LoginPicture />
    </Suspense>
  );
  const google = { state: 'preparing', renew: () => undefined } as const;
  const html = () =>
    renderToString(
      <Root>
        <LoginView google={google} isSigningIn={false} hasEnded={false} picture={picture} />
      </Root>,
    );
  return { en: renderedIn('en', html), hi: renderedIn('hi', html) };
}
