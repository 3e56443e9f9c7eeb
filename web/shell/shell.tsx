import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Outlet, ScrollRestoration, useMatches } from 'react-router';
import { readAccount } from '#shared/contract/account.ts';
import { portalConfig } from '#web/api/config.ts';
import { useCall } from '#web/api/use-call.ts';
import { useMay } from '#web/roles/use-role.ts';
import { WithinRole } from '#web/roles/within-role.tsx';
import { LegalLinks, hasLegalLinks } from '#web/shell/brand.tsx';
import { CrumbBar } from '#web/shell/crumb-bar.tsx';
import { Header } from '#web/shell/header.tsx';
import { type Destination, Place } from '#web/shell/place.ts';
import classes from '#web/shell/shell.module.css';
import { shellTexts as texts } from '#web/shell/texts.ts';
import { useHeadFocus } from '#web/ui/head-focus.ts';
import { lazyComponent } from '#web/ui/load-code.ts';

const CommandPalette = lazyComponent(async () => (await import('#web/shell/command-palette.tsx')).CommandPalette);

const BlockedNotice = lazyComponent(async () => (await import('#web/shell/blocked-notice.tsx')).BlockedNotice);

const CustomerSwitch = lazyComponent(async () => (await import('#web/shell/customer-switch.tsx')).CustomerSwitch);

const PhoneMenu = lazyComponent(async () => (await import('#web/shell/phone-menu.tsx')).PhoneMenu);

const NotForRole = lazyComponent(async () => (await import('#web/roles/not-for-role.tsx')).NotForRole);

const nothing: readonly string[] = [];

/** The frame around every page of a signed-in customer. `pages`: those of search and navigation; `shortcut`: for the menu of a phone. */
export function Shell({ pages, shortcut }: { pages: readonly Destination[]; shortcut: ReactNode }) {
  const account = useCall(readAccount, {});
  const user = account.data?.user;
  const role = account.data?.role;
  const may = useMay();
  const mayOpen = ({ call }: { call: Destination['call'] }) => call === undefined || may(call);
  const allowed = pages.filter(mayOpen);
  const mainPages = allowed.filter(({ isMain }) => isMain);
  const isRefused = useMatches().some(({ handle }) => handle instanceof Place && !mayOpen(handle));
  const [menuOpened, menu] = useDisclosure(false);
  const [menuWanted, setMenuWanted] = useState(false);
  const [searchWanted, setSearchWanted] = useState(0);
  const openSearch = () => setSearchWanted((count) => count + 1);
  const openMenu = () => {
    setMenuWanted(true);
    menu.open();
  };
  useHotkeys([['mod+K', openSearch]], []);
  useHeadFocus();
  useEffect(requestMonoFont, []);

  return (
    <WithinRole role={role} mayNot={account.data?.mayNot ?? nothing}>
      <a className={classes['skip']} href="#content">
        {texts.skip}
      </a>
      <Header
        user={user}
        switcher={
          account.data?.hasOthers ? (
            <Suspense>
              <CustomerSwitch />
            </Suspense>
          ) : null
        }
        unreadReplies={account.data?.unreadReplies ?? 0}
        pages={mainPages}
        onSearch={openSearch}
        onMenu={openMenu}
      />
      <CrumbBar />
      <main id="content" className={classes['page']}>
        <Suspense>{account.data?.blocked ? <BlockedNotice {...account.data.blocked} /> : null}</Suspense>
        {isRefused && role !== undefined ? (
          <Suspense>
            <NotForRole role={role} />
          </Suspense>
        ) : (
          <Outlet />
        )}
      </main>
      {portalConfig().standins || hasLegalLinks() ? (
        <footer className={classes['foot']}>
          {hasLegalLinks() ? <LegalLinks /> : null}
          {portalConfig().standins ? <div>{texts.standins}</div> : null}
        </footer>
      ) : null}
      <Suspense>
        {menuWanted ? (
          <PhoneMenu user={user} pages={mainPages} shortcut={shortcut} opened={menuOpened} onClose={menu.close} />
        ) : null}
        {searchWanted > 0 ? <CommandPalette wanted={searchWanted} pages={allowed} /> : null}
      </Suspense>
      <ScrollRestoration />
    </WithinRole>
  );
}

/** Ids and code come with the data: requested only then, their font would come later and move them. */
function requestMonoFont(): void {
  void document.fonts.load('14px "Geist Mono Variable"').catch(() => undefined);
}
