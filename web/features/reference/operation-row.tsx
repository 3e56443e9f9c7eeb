import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import type { OperationEntry } from '#web/features/reference/operations.ts';
import { unitsText } from '#web/features/reference/units-text.ts';
import classes from '#web/features/reference/operation-row.module.css';

/** One endpoint in the list, as a link to its page. */
export function OperationRow({ to, operation }: { to: string; operation: OperationEntry }) {
  const { method, path, summary } = operation;
  const cost = unitsText(operation);
  return (
    <Link className={classes.row} to={to}>
      <span className={classes.summary}>{summary}</span>
      <span className={classes.path}>
        <b>{method}</b> {path}
        {cost !== undefined && ` · ${cost}`}
      </span>
      <ChevronRight size={16} aria-hidden />
    </Link>
  );
}
