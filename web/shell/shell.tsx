import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Suspense, lazy, useState } from 'react';
import { Outlet, ScrollRestoration } from 'react-router';
import { readAccount } from '#contract/account.ts';
import { portalConfig } from '#web/api/config.ts';
import { useCall } from '#web/api/use-call.ts';
import { CrumbBar } from '#web/shell/crumb-bar.tsx';
import { Header } from '#web/shell/header.tsx';
import type { Destination } from '#web/shell/place.ts';
import classes from '#web/shell/shell.module.css';
import { shellTexts as texts } from '#web/shell/texts.ts';

const CommandPalette = lazy(async () => ({ default: (await import('#web/shell/command-palette.tsx')).CommandPalette }));

const PhoneMenu = lazy(async () => ({ default: (await import('#web/shell/phone-menu.tsx')).PhoneMenu }));

/** The frame around every page of a signed-in customer. `pages`: those of search and navigation. */
export function Shell({ pages }: { pages: readonly Destination[] }) {
  const account = useCall(readAccount, {});
  const user = account.data?.user;
  const mainPages = pages.filter(({ isMain }) => isMain);
  const [menuOpened, menu] = useDisclosure(false);
  const [menuWanted, setMenuWanted] = useState(false);
  const [searchWanted, setSearchWanted] = useState(0);
  const openSearch = () => setSearchWanted((count) => count + 1);
  const openMenu = () => {
    setMenuWanted(true);
    menu.open();
  };
  useHotkeys([['mod+K', openSearch]], []);

  return (
    <>
      <a className={classes['skip']} href="#content">
        {texts.skip}
      </a>
      <Header user={user} pages={mainPages} onSearch={openSearch} onMenu={openMenu} />
      <CrumbBar />
      <main id="content" className={classes['page']}>
        <Outlet />
      </main>
      {portalConfig().standins ? <footer className={classes['standins']}>{texts.standins}</footer> : null}
      <Suspense>
        {menuWanted ? <PhoneMenu user={user} pages={mainPages} opened={menuOpened} onClose={menu.close} /> : null}
        {searchWanted > 0 ? <CommandPalette wanted={searchWanted} pages={pages} /> : null}
      </Suspense>
      <ScrollRestoration />
    </>
  );
}
