import { Button, Modal } from '@mantine/core';
import { Building2, LogOut, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, NavLink } from 'react-router';
import type { User } from '#shared/contract/account.ts';
import { leave } from '#web/shell/leave.ts';
import classes from '#web/shell/phone-menu.module.css';
import { LanguageSwitch } from '#web/shell/language-switch.tsx';
import type { Destination } from '#web/shell/place.ts';
import { shellTexts as texts } from '#web/shell/texts.ts';
import { UserPicture } from '#web/shell/user-picture.tsx';
import { useColorSchemeToggle } from '#web/ui/color-scheme-toggle.ts';

interface PhoneMenuProps {
  user: User | undefined;
  /** The main ones. */
  pages: readonly Destination[];
  /** What else customers come for, below the pages. */
  shortcut: ReactNode;
  opened: boolean;
  onClose: () => void;
}

/** The navigation where the header has no room for it. */
export function PhoneMenu({ user, pages, shortcut, opened, onClose }: PhoneMenuProps) {
  const { isDark, toggle } = useColorSchemeToggle();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      classNames={{ title: classes['title'] ?? '' }}
      closeButtonProps={{ 'aria-label': texts.closeMenu }}
      title={
        <span className={classes['user']}>
          <UserPicture user={user} size={40} />
          <span className={classes['words']}>
            <span className={classes['name']}>{user?.name}</span>
            <span className={classes['mail']}>{user?.email}</span>
          </span>
        </span>
      }
    >
      <nav className={classes['nav']} aria-label={texts.menuNavigation}>
        {pages.map(({ name, path }) => (
          <NavLink key={path} to={path} onClick={onClose}>
            {name()}
          </NavLink>
        ))}
      </nav>
      <div className={classes['shortcut']}>{shortcut}</div>
      <div className={classes['foot']}>
        <Button
          component={Link}
          to="/account"
          onClick={onClose}
          variant="default"
          leftSection={<Building2 size={18} />}
        >
          {texts.account}
        </Button>
        <Button variant="default" leftSection={isDark ? <Sun size={18} /> : <Moon size={18} />} onClick={toggle}>
          {texts.theme}
        </Button>
        <LanguageSwitch variant="default" size="md" />
        <Button variant="default" leftSection={<LogOut size={18} />} onClick={() => void leave()}>
          {texts.logout}
        </Button>
      </div>
    </Modal>
  );
}
