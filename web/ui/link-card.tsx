import { ArrowRight, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from '#web/ui/link-card.module.css';

/** A card that is one link. `foot` stands below a hairline, with the arrow at its end. */
export function LinkCard({ to, children, foot }: { to: string; children: ReactNode; foot?: ReactNode }) {
  return (
    <Link to={to} className={classes.card}>
      {children}
      {foot === undefined ? null : (
        <span className={classes.foot}>
          {foot}
          <span className={classes.go}>
            <ChevronRight size={16} aria-hidden="true" />
          </span>
        </span>
      )}
    </Link>
  );
}

/** The arrow of a card without a foot. */
export function CardArrow() {
  return (
    <span className={classes.go}>
      <ArrowRight size={18} aria-hidden="true" />
    </span>
  );
}

/** Rows that are links, in one card. */
export function LinkRows({ children }: { children: ReactNode }) {
  return <div className={classes.rows}>{children}</div>;
}

export function LinkRow({ to, columns, children }: { to: string; columns: string; children: ReactNode }) {
  return (
    <Link to={to} className={classes.row} style={{ '--columns': columns }}>
      {children}
      <span className={classes.go}>
        <ChevronRight size={16} aria-hidden="true" />
      </span>
    </Link>
  );
}
