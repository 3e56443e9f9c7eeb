import { ActionIcon, Button, Loader } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FlaskConical, LogOut, Menu as MenuIcon, Moon, Search, Sun } from 'lucide-react';
import { useEffect } from 'react';
import { NavLink, Outlet, ScrollRestoration, useLocation } from 'react-router';
import { signOutOperator } from '#shared/contract/operator/session.ts';
import { portalConfig } from '#web/api/config.ts';
import { callInSession } from '#web/console/api/operator-call.ts';
import { type OperatorSession, useOperatorSession } from '#web/console/api/use-operator.ts';
import { forgetDrafts } from '#web/console/api/drafts.ts';
import { keepToken, useSession } from '#web/console/api/session.ts';
import { useIsStale } from '#web/console/api/use-is-stale.ts';
import { usePlaces } from '#web/console/shell/places.ts';
import { SearchBox } from '#web/console/shell/search-box.tsx';
import classes from '#web/console/shell/shell.module.css';
import { SignInPage } from '#web/console/shell/sign-in-page.tsx';
import { ActionHost } from '#web/console/ui/action-host.tsx';
import { useKeys } from '#web/console/ui/use-keys.ts';
import { BrandMark } from '#web/ui/brand-mark.tsx';
import { useColorSchemeToggle } from '#web/ui/color-scheme-toggle.ts';
import { useHeadFocus } from '#web/ui/head-focus.ts';
import { OfflineBar } from '#web/ui/offline-bar.tsx';
import { Loaded } from '#web/ui/states.tsx';

/** The frame around every page; nobody comes in without a session. */
export function Shell() {
  const { token, hasExpired } = useSession();
  const isStale = useIsStale();
  return (
    <>
      {token === null ? (
        <SignInPage hasExpired={hasExpired} />
      ) : (
        <ActionHost>
          <Frame />
        </ActionHost>
      )}
      <OfflineBar isStale={isStale} />
    </>
  );
}

function Frame() {
  const session = useOperatorSession();
  const places = usePlaces();
  const { pathname } = useLocation();
  const [menuOpened, menu] = useDisclosure(false);
  const [searchOpened, search] = useDisclosure(false);
  const { close } = menu;
  useEffect(close, [pathname, close]);
  useHeadFocus();
  useKeys([['mod+K', search.open]], []);
  useKeys([
    ['/', search.open],
    ['j', () => focusRow(1)],
    ['k', () => focusRow(-1)],
  ]);

  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <header className={classes.side} data-opened={menuOpened || undefined}>
        <div className={classes.brand}>
          <ActionIcon
            className={classes.narrow ?? ''}
            aria-label="Menu"
            aria-expanded={menuOpened}
            onClick={menu.toggle}
          >
            <MenuIcon size={20} />
          </ActionIcon>
          <BrandMark />
          <span className={classes.name}>{portalConfig().providerName}</span>
          <ActionIcon className={classes.narrow ?? ''} aria-label="Search" onClick={search.open} ml="auto">
            <Search size={20} />
          </ActionIcon>
        </div>
        <div className={classes.menu}>
          <button type="button" className={classes.search} aria-keyshortcuts="Control+K" onClick={search.open}>
            <Search size={15} aria-hidden="true" />
            <span>Search</span>
            <kbd aria-hidden="true">Ctrl K</kbd>
          </button>
          <nav aria-label="Main" className={classes.nav}>
            {places.map(({ path, name, icon: Icon }) => (
              <NavLink key={path} to={path} end={path === '/'}>
                <Icon size={17} aria-hidden="true" />
                {name}
              </NavLink>
            ))}
          </nav>
          <Account operator={session.data?.operator} />
        </div>
      </header>
      <main id="content" className={classes.page}>
        <Loaded of={session} word="Loading" failed="The session could not be read" shape={<Loader />}>
          {() => <Outlet />}
        </Loaded>
      </main>
      <SearchBox opened={searchOpened} onClose={search.close} />
      <ScrollRestoration />
    </div>
  );
}

function Account({ operator }: { operator: OperatorSession['operator'] | undefined }) {
  const { isDark, toggle } = useColorSchemeToggle();
  const { standins, rehearsal } = portalConfig();
  return (
    <div className={classes.account}>
      {standins || rehearsal ? (
        <p className={classes.test}>
          <FlaskConical size={14} aria-hidden="true" />
          {rehearsal ? 'Rehearsal: no money moves' : 'Test: no money moves'}
        </p>
      ) : null}
      <div className={classes.who}>
        <strong>{operator?.name}</strong>
        <span title={operator?.email}>{operator?.email}</span>
        <span>{operator && `Role: ${operator.role}`}</span>
      </div>
      <div className={classes.tools}>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<LogOut size={15} />}
          onClick={() => void signOut()}
        >
          Sign out
        </Button>
        <ActionIcon size={28} aria-label={isDark ? 'Switch to light mode' : 'Switch to dark mode'} onClick={toggle}>
          {isDark ? <Sun size={16} /> : <Moon size={16} />}
        </ActionIcon>
      </div>
    </div>
  );
}

/** The token is forgotten at once, whether the server responds or not. */
async function signOut(): Promise<void> {
  // Is sent with the token, which it has read by then.
  const ended = callInSession(signOutOperator, {});
  keepToken(null);
  forgetDrafts();
  await ended.catch(() => undefined);
}

/** Moves to the next or the previous row of the tables on the page. */
function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const current = rows.findIndex((row) => (row.closest('tr') ?? row).contains(document.activeElement));
  rows[current < 0 ? 0 : current + step]?.focus();
}
