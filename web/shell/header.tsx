import { ActionIcon, Button } from '@mantine/core';
import { LifeBuoy, LogOut, Menu as MenuIcon, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation, useMatches } from 'react-router';
import type { User } from '#shared/contract/account.ts';
import { Brand } from '#web/shell/brand.tsx';
import { crumbsOf } from '#web/shell/crumbs.ts';
import { ColorSchemeIcon } from '#web/shell/color-scheme-icon.tsx';
import classes from '#web/shell/header.module.css';
import { leave } from '#web/shell/leave.ts';
import { LanguageIcon } from '#web/shell/language-switch.tsx';
import type { Destination } from '#web/shell/place.ts';
import { shellTexts as texts } from '#web/shell/texts.ts';
import { UserPicture } from '#web/shell/user-picture.tsx';

export interface HeaderProps {
  user: User | undefined;
  /** For a person of several customers. */
  switcher: ReactNode;
  /** Replies of support that were not read. */
  unreadReplies: number;
  /** The main ones. */
  pages: readonly Destination[];
  onSearch: () => void;
  onMenu: () => void;
}

const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Header({ user, switcher, unreadReplies, pages, onSearch, onMenu }: HeaderProps) {
  const { pathname } = useLocation();
  // An API's page is within the Developer Portal, though its address is not.
  const crumbs = crumbsOf(useMatches(), (id) => id);
  return (
    <header className={classes['header']}>
      <div className={classes['inner']}>
        <ActionIcon className={classes['narrow']} aria-label={texts.openMenu} onClick={onMenu} ml={-10}>
          <MenuIcon size={20} />
        </ActionIcon>
        <Link className={classes['brand']} to="/">
          <Brand />
        </Link>
        {switcher}
        <nav className={classes['nav']} aria-label={texts.mainNavigation}>
          {pages.map(({ name, path }) => (
            <Link
              key={path}
              to={path}
              aria-current={pathname === path ? 'page' : crumbs.some((crumb) => crumb.path === path) || undefined}
            >
              {name()}
            </Link>
          ))}
        </nav>
        <div className={classes['end']}>
          <button
            type="button"
            className={classes['search']}
            aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
            onClick={onSearch}
          >
            <Search size={15} aria-hidden="true" />
            <span>{texts.search}</span>
            <kbd aria-hidden="true">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
          <ActionIcon className={classes['narrow']} aria-label={texts.search} onClick={onSearch}>
            <Search size={20} />
          </ActionIcon>
          <ActionIcon
            component={Link}
            to="/support"
            className={classes['support']}
            data-unread={unreadReplies > 0 || undefined}
            aria-label={unreadReplies === 0 ? texts.support : texts.unreadReplies(unreadReplies)}
          >
            <LifeBuoy size={18} aria-hidden="true" />
          </ActionIcon>
          <LanguageIcon className={classes['wide']} />
          <ColorSchemeIcon className={classes['wide']} />
          <span className={classes['rule']} aria-hidden="true" />
          <Link className={classes['user']} to="/account" aria-label={texts.accountOf(user?.name ?? '')}>
            <UserPicture user={user} />
            <span className={classes['userText']}>
              <span className={classes['userName']}>{user?.name}</span>
              <span className={classes['userMail']}>{user?.email}</span>
            </span>
          </Link>
          <Button
            className={classes['wide']}
            variant="subtle"
            color="gray"
            size="sm"
            mr={-12}
            leftSection={<LogOut size={16} />}
            onClick={() => void leave()}
          >
            {texts.logout}
          </Button>
        </div>
      </div>
    </header>
  );
}
