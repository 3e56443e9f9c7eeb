// The picture is in the page before its code is, and looks right from the beginning.
import '#web/features/account/login/login-picture.module.css';
import '#web/ui/product-mark.module.css';
import '#web/ui/quota-meter.module.css';
import '#web/ui/status-badge.module.css';
import { Suspense, useEffect, useRef, useState } from 'react';
import { signIn } from '#shared/contract/account.ts';
import { call } from '#web/api/client.ts';
import { Refused } from '#web/api/failures.ts';
import { claimsBeside } from '#web/features/account/login/identity-claims.ts';
import { LoginView } from '#web/features/account/login/login-view.tsx';
import { loginTexts as texts } from '#web/features/account/login/texts.ts';
import { onLanguageChange } from '#web/language/language.ts';
import { beginSession, onSessionChange, useSession } from '#web/session/session.ts';
import { useGoogleSignIn } from '#web/sign-in/use-google-sign-in.ts';
import { useColorSchemeToggle } from '#web/ui/color-scheme-toggle.ts';
import { notifyFailure, tellOutcome } from '#web/ui/notify.tsx';
import { lazyComponent } from '#web/ui/load-code.ts';
import { usePageTitle } from '#web/ui/page-title.ts';

const LoginPicture = lazyComponent(async () => {
  // What the server has drawn stays as it is: the code of much else comes with that of the picture.
  if (document.querySelector('main > [inert]') !== null)
    await new Promise<void>((resolve) => {
      onLanguageChange(resolve);
      onSessionChange(resolve);
    });
  return (await import('#web/features/account/login/login-picture.tsx')).LoginPicture;
});

const FirstChoice = lazyComponent(async () => (await import('#web/features/members/first-choice.tsx')).FirstChoice);

// One element for good: given another before its code has come, React would take away what the server has drawn.
const picture = (
  <Suspense>
    <LoginPicture />
  </Suspense>
);

/** Sign-up and sign-in are one: a Google account that is new here becomes a customer. `prepare`: gets what the page after it needs, once somebody is about to sign in. */
export function LoginPage({ prepare }: { prepare?: () => Promise<unknown> }) {
  usePageTitle(texts.title);
  const { endedBy } = useSession();
  const { isDark } = useColorSchemeToggle();
  const button = useRef<HTMLDivElement>(null);
  const [isSigningIn, setSigningIn] = useState(false);
  const [first, setFirst] = useState('');
  const google = useGoogleSignIn(button, isDark, (identityToken) => void signInWith(identityToken));

  useEffect(() => {
    const begin = () => void prepare?.().catch(() => undefined);
    button.current?.addEventListener('pointerover', begin, { once: true });
    // Google's button is a frame that says nothing of a finger or a key: it takes the focus.
    window.addEventListener('blur', begin, { once: true });
  }, [prepare]);

  async function signInWith(identityToken: string): Promise<void> {
    setSigningIn(true);
    try {
      const body = { ...claimsBeside(identityToken), googleIdToken: identityToken };
      const [{ accessToken, first: asks = '' }] = await Promise.all([call(signIn, { body }), prepare?.()]);
      setFirst(asks);
      if (asks === '') tellOutcome(signIn.name, () => beginSession(accessToken));
    } catch (error) {
      const why = error instanceof Refused && error.code === 'account_passed_on' ? error.message : undefined;
      tellOutcome(signIn.name, () => notifyFailure(texts.failed, why));
      google.renew();
    } finally {
      setSigningIn(false);
    }
  }

  const login = (
    <LoginView
      google={google}
      isSigningIn={isSigningIn}
      hasEnded={endedBy === 'expired' || endedBy === 'elsewhere'}
      button={button}
      picture={picture}
    />
  );
  if (first === '') return login;
  return (
    <Suspense fallback={login}>
      <FirstChoice identity={first} onAgain={() => window.location.reload()} />
    </Suspense>
  );
}
