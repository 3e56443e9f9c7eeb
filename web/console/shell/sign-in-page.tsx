import { ActionIcon, Loader } from '@mantine/core';
import { CircleAlert, Moon, Sun } from 'lucide-react';
import { useRef, useState } from 'react';
import { signInOperator } from '#shared/contract/operator/session.ts';
import { portalConfig } from '#web/api/config.ts';
import { callInSession } from '#web/console/api/operator-call.ts';
import { keepToken } from '#web/console/api/session.ts';
import { usePageTitle } from '#web/console/ui/page.tsx';
import classes from '#web/console/shell/sign-in-page.module.css';
import { useGoogleSignIn } from '#web/sign-in/use-google-sign-in.ts';
import { BrandMark } from '#web/ui/brand-mark.tsx';
import { useColorSchemeToggle } from '#web/ui/color-scheme-toggle.ts';
import { ErrorState } from '#web/ui/states.tsx';

/** Whoever an owner has added signs in with Google, and stays at the address that was asked for. */
export function SignInPage({ hasExpired }: { hasExpired: boolean }) {
  // Not that of the page behind, which may be a customer's name.
  usePageTitle('Sign in');
  const { isDark, toggle } = useColorSchemeToggle();
  const button = useRef<HTMLDivElement>(null);
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const google = useGoogleSignIn(button, isDark, (googleIdToken) => void signIn(googleIdToken));

  async function signIn(googleIdToken: string): Promise<void> {
    setRunning(true);
    setFailure(null);
    try {
      keepToken((await callInSession(signInOperator, { body: { googleIdToken } })).accessToken);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      // A nonce serves once.
      google.renew();
    } finally {
      setRunning(false);
    }
  }

  const isBusy = google.state === 'preparing' || running;
  return (
    <main className={classes.page}>
      <ActionIcon
        className={classes.theme ?? ''}
        aria-label={isDark ? 'Switch to light mode' : 'Switch to dark mode'}
        onClick={toggle}
      >
        {isDark ? <Sun size={18} /> : <Moon size={18} />}
      </ActionIcon>
      <div className={classes.card}>
        <BrandMark />
        <h1>{portalConfig().providerName}</h1>
        <p className="soft">Console of the provider. Customers sign in at the portal.</p>
        {hasExpired && failure === null ? (
          <output>Your session has ended. Sign in again: what you were typing is kept in this tab.</output>
        ) : null}
        <div className={classes.slot} aria-busy={isBusy}>
          <div ref={button} data-hidden={isBusy || google.state === 'unavailable'} />
          {isBusy ? (
            <output className={classes.wait}>
              <Loader aria-hidden="true" />
              {running ? 'Signing in' : 'Loading Google sign-in'}
            </output>
          ) : null}
        </div>
        {google.state === 'unavailable' ? (
          <ErrorState title="Google sign-in could not be loaded" onRetry={google.renew}>
            Check the connection, and that nothing blocks scripts from Google on this page.
          </ErrorState>
        ) : null}
        {failure === null ? null : (
          <p role="alert" className={classes.failure}>
            <CircleAlert size={16} aria-hidden="true" />
            {failure}
          </p>
        )}
      </div>
    </main>
  );
}
