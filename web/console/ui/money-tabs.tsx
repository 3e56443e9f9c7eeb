import { NavLink } from 'react-router';
import classes from '#web/console/ui/money-tabs.module.css';

/** The pages of what is to be decided about money. */
export function MoneyTabs() {
  return (
    <nav className={classes.tabs} aria-label="Money">
      <NavLink to="/money/refunds">Refunds to pay</NavLink>
      <NavLink to="/money/tds">TDS claims</NavLink>
      <NavLink to="/money/remittances">Payments from abroad</NavLink>
    </nav>
  );
}
