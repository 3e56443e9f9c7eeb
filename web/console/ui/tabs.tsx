import { Link } from 'react-router';
import classes from '#web/console/ui/tabs.module.css';

interface Tab {
  to: string;
  label: string;
  isCurrent: boolean;
}

/** On a phone it may be beyond the edge. */
const showTab = (link: HTMLAnchorElement | null) => link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** The parts of what is too much for one page; each has its address. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map(({ to, label: name, isCurrent }) => (
        <Link key={to} to={to} {...(isCurrent && { 'aria-current': 'page' as const, ref: showTab })}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
